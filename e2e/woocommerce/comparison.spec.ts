import { ApiDatabase } from "../fixtures/api-database.js";
import { expect, test } from "./fixtures.js";

/** A change in the shop counts as a difference only after this time (`fresh_seconds`), because it may still be in progress. */
const FRESH_MS = 300_000;

test("a comparison finds every difference planted in the shop, and each repair fixes its difference without moving money", async ({
  gate,
  owner,
  rest,
  sandbox,
  shopper,
  productId,
  pay,
  tillgate,
  orderOf,
}) => {
  test.setTimeout(900_000 + FRESH_MS);
  gate.open();
  const start = async () => {
    const { order, payAddress } = await rest.createOrder(productId, 1);
    await shopper.payByLink(payAddress);
    const { paymentUrl } = await shopper.waitForQrCode();
    await shopper.closePage();
    return { orderId: order.id, paymentUrl };
  };
  const paid = async () => {
    const { orderId, paymentUrl } = await start();
    await pay(paymentUrl);
    await rest.waitForStatus(orderId, "processing");
    return orderId;
  };
  const cancelled = async () => {
    const { orderId } = await start();
    await tillgate.orders.cancel(await orderOf(String(orderId)));
    await expect.poll(async () => (await rest.order(orderId)).status).not.toBe("pending");
    return orderId;
  };
  const expected: string[] = [];
  const expectDifference = (orderId: number, kind: string, repair = "none") =>
    expected.push(`${orderId} ${kind} ${repair}`);

  const refunded = await paid();
  const { transaction_id } = await rest.order(refunded);
  /** Steps that follow the advice on refund differences, and leave the shop as the other test files expect it. */
  const corrections: (() => Promise<unknown>)[] = [];
  await test.step("refunds that differ", async () => {
    for (const amount of ["1.00", "1.10", "1.20"])
      expect((await rest.refund(refunded, amount)).status).toBe(201);
    const { refunds } = await tillgate.refunds.list({ transaction_id });
    const records = await rest.refunds(refunded);
    const refundOf = (amount: number) => {
      const refund = refunds.find(({ raw_amount }) => raw_amount === amount);
      const record = records.find(({ tillgateRefundIds }) => tillgateRefundIds.includes(refund?.refund_id));
      if (refund === undefined || record === undefined) throw new Error(`There is no refund of ${amount}.`);
      return { refundId: refund.refund_id, recordId: record.id };
    };
    await rest.deleteRefund(refunded, refundOf(1).recordId);
    expectDifference(refunded, "refund_missing_in_shop", "record_refund");
    const second = await rest.recordRefund(refunded, "1.10", refundOf(1.1).refundId);
    expectDifference(refunded, "refund_recorded_twice");
    const { refundId, recordId } = refundOf(1.2);
    await rest.deleteRefund(refunded, recordId);
    const smaller = await rest.recordRefund(refunded, "0.80", refundId);
    expectDifference(refunded, "refund_amount_differs");
    corrections.push(
      () => rest.deleteRefund(refunded, second),
      () => rest.deleteRefund(refunded, smaller),
      () => rest.recordRefund(refunded, "1.20", refundId),
    );
  });

  const marked = await paid();
  const correctRefund = await rest.recordRefund(marked, "0.60");
  expectDifference(marked, "refund_only_in_shop");
  corrections.push(() => rest.deleteRefund(marked, correctRefund));

  const change = (fields: object) => (orderId: number) => rest.updateOrder(orderId, fields);
  const planted = [
    // First, because this change counts as a difference only after FRESH_MS.
    {
      kind: "refund_only_in_shop",
      start: paid,
      plant: async (orderId: number) => {
        const record = await rest.recordRefund(orderId, "0.50");
        corrections.push(() => rest.deleteRefund(orderId, record));
      },
    },
    { kind: "paid_shop_unpaid", repair: "apply_order", start: paid, plant: change({ status: "pending" }) },
    { kind: "paid_shop_unpaid", repair: "apply_order", start: paid, plant: change({ status: "failed" }) },
    {
      kind: "paid_shop_unpaid",
      repair: "apply_order",
      start: paid,
      plant: change({ status: "on-hold", transaction_id: "" }),
    },
    { kind: "paid_shop_cancelled", start: paid, plant: change({ status: "cancelled" }) },
    { kind: "paid_shop_deleted", start: paid, plant: (orderId: number) => rest.trashOrder(orderId) },
    { kind: "paid_shop_deleted", start: paid, plant: (orderId: number) => rest.deleteOrder(orderId) },
    {
      kind: "paid_not_needed",
      start: paid,
      plant: change({ payment_method: "bacs", payment_method_title: "Bank", transaction_id: "" }),
    },
    {
      kind: "transaction_missing",
      repair: "apply_order",
      start: paid,
      plant: change({ transaction_id: "" }),
    },
    {
      kind: "transaction_missing",
      repair: "apply_order",
      start: paid,
      plant: change({ status: "completed", transaction_id: "" }),
    },
    { kind: "transaction_differs", start: paid, plant: change({ transaction_id: "OTHER-1" }) },
    {
      kind: "amount_differs",
      start: paid,
      plant: change({ fee_lines: [{ name: "Gift wrap", total: "1.00" }] }),
    },
    { kind: "currency_differs", start: paid, plant: change({ currency: "USD" }) },
    {
      kind: "refunded_in_shop_only",
      start: paid,
      plant: async (orderId: number) => {
        const { refunds } = await rest.updateOrder(orderId, { status: "refunded" });
        for (const { id } of refunds) await rest.deleteRefund(orderId, id);
      },
    },
    { kind: "unpaid_shop_paid", start: cancelled, plant: change({ status: "processing" }) },
    { kind: "transaction_unknown", start: cancelled, plant: change({ transaction_id: "OTHER-2" }) },
  ];
  const orders = new Map<string, number>();
  for (const { kind, repair, start, plant } of planted)
    await test.step(kind, async () => {
      const orderId = await start();
      await plant(orderId);
      expectDifference(orderId, kind, repair);
      orders.set(kind, orderId);
    });
  const matching = await paid();

  const ours = new Set([...expected.map((difference) => difference.split(" ")[0]), String(matching)]);
  const compare = async () => {
    await owner.openHealth();
    await owner.page.locator("[data-tillgate-compare]").click();
    await owner.page.waitForURL(/#tillgate-books/);
    const found = await owner.page.locator("tr[data-tillgate-difference]").evaluateAll((rows) =>
      rows.map((row) => ({
        orderNumber: row.querySelector("td")?.textContent ?? "",
        kind: row.getAttribute("data-tillgate-difference"),
        repair: row.querySelector("[data-tillgate-repair]")?.getAttribute("data-tillgate-repair") ?? "none",
        advice: row.querySelector("td:last-child")?.textContent ?? "",
      })),
    );
    expect(found.filter(({ advice }) => advice === "")).toEqual([]);
    return found
      .filter(({ orderNumber }) => ours.has(orderNumber))
      .map(({ orderNumber, kind, repair }) => `${orderNumber} ${kind} ${repair}`)
      .toSorted();
  };
  await expect
    .poll(compare, { timeout: FRESH_MS + 60_000, intervals: [15_000] })
    .toEqual(expected.toSorted());

  await test.step("mark refunds as correct", async () => {
    const mark = owner.page.locator("#tillgate-payment").getByRole("link", { name: "Mark as correct" });
    await expect(async () => {
      await owner.runBackgroundWork();
      await owner.openOrder(marked);
      await expect(mark).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 300_000, intervals: [10_000] });
    await mark.click();
    await expect(owner.page.locator("[data-tillgate-difference]")).toHaveCount(0);
    const stored = (await new ApiDatabase(sandbox.database_url).shopDifferences())
      .filter(({ order_number }) => ours.has(order_number))
      .map(({ order_number, kind, repair }) => `${order_number} ${kind} ${repair ?? "none"}`);
    const open = expected.filter((difference) => !difference.startsWith(`${marked} `)).toSorted();
    expect(stored.toSorted()).toEqual(open);
    expect(await compare()).toEqual(open);
  });

  const repairable = expected.filter((difference) => !difference.endsWith(" none"));
  for (const difference of repairable)
    await test.step(`repair ${difference}`, async () => {
      const [orderNumber = "", kind] = difference.split(" ");
      const link = owner.page.getByRole("link", { name: orderNumber, exact: true });
      await owner.openHealth();
      await owner.page
        .locator(`tr[data-tillgate-difference=${kind}]`, { has: link })
        .locator("[data-tillgate-repair]")
        .click();
      await expect(owner.page.getByText("The difference is resolved.")).toBeVisible();
    });
  for (const correct of corrections) await correct();
  const isOver = (difference: string) => repairable.includes(difference) || difference.includes(" refund_");
  expect(await compare()).toEqual(expected.filter((difference) => !isOver(difference)).toSorted());
  expect((await rest.order(orders.get("paid_shop_unpaid") ?? 0)).status).toBe("processing");
  expect((await rest.order(orders.get("transaction_missing") ?? 0)).transaction_id).not.toBe("");
  expect((await rest.refunds(refunded)).map(({ amount }) => amount)).toContain("1.00");
  expect((await tillgate.refunds.list({ transaction_id })).refunds).toHaveLength(3);
});
