import { beforeEach, expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import { createOrder, getOrder, makeOverdue, paymentTokenOf } from "../../support/orders.js";
import { addShopper } from "../../support/parties.js";
import { errorOf, payApi } from "../../support/requests.js";
import { balanceOf, expectNoWrites } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";
import { waitUntil } from "../../support/wait-until.js";

const NOT_PAYABLE = { status: 422, texts: ["The order cannot be paid right now"], reason: "not_payable_now" };

const { sandbox, server, api, merchantId } = await createTestApi();
beforeEach(() => suspend(false));

const suspend = (suspended: boolean) =>
  sandbox.database.prisma.merchant.update({
    where: { id: merchantId },
    data: { suspendedAt: suspended ? new Date() : null },
  });

it("an order of a suspended merchant cannot be paid, stays pending, and can be paid after the suspension", async () => {
  const shopper = await addShopper(sandbox, "sandbox", 5_000n);
  const order = await createOrder(api);
  const page = openPage(server, paymentTokenOf(order));
  await page.signIn(shopper.email, shopper.pin);
  await suspend(true);
  for (const action of ["pay", "sandbox-approve"] as const)
    expect(errorOf(await expectNoWrites(sandbox, () => page.act(action)))).toEqual(NOT_PAYABLE);
  expect(await balanceOf(sandbox, shopper.email)).toBe(5_000n);
  expect((await page.view()).order.status).toBe("PENDING");
  await suspend(false);
  expect((await page.act("pay")).status).toBe(200);
  expect((await getOrder(api, order.order_id)).status).toBe("PAID");
});

it("orders of other merchants can be paid during a suspension", async () => {
  const other = payApi(server, sandbox.access.other_merchant);
  const order = await createOrder(other);
  await suspend(true);
  expect((await openPage(server, paymentTokenOf(order)).act("sandbox-approve")).status).toBe(200);
});

it("an order of a suspended merchant can be cancelled, and still expires", async () => {
  const [cancelled, overdue] = [await createOrder(api), await createOrder(api)];
  await suspend(true);
  expect((await openPage(server, paymentTokenOf(cancelled)).act("cancel")).status).toBe(200);
  await makeOverdue(sandbox, overdue.order_id);
  expect((await openPage(server, paymentTokenOf(overdue)).view()).order.status).toBe("EXPIRED");
});

it("a payment that waits for its order's lock is rejected if the merchant is suspended in the meantime", async () => {
  const order = await createOrder(api);
  const page = openPage(server, paymentTokenOf(order));
  const { form_token } = await page.view();
  const holder = await sandbox.database.pool.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM orders WHERE id = $1 FOR UPDATE", [order.order_id]);
    const paying = page.act("sandbox-approve", form_token);
    await isWaitingForOrder();
    await holder.query("UPDATE merchants SET suspended_at = now() WHERE id = $1", [merchantId]);
    await holder.query("COMMIT");
    expect(errorOf(await paying)).toEqual(NOT_PAYABLE);
  } finally {
    holder.release();
  }
});

const isWaitingForOrder = () =>
  waitUntil("the payment waits for the order's row", async () => {
    const { rows } = await sandbox.database.pool.query("SELECT FROM pg_locks WHERE NOT granted");
    return rows.length > 0;
  });
