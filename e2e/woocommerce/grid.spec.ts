import { expect, test } from "./fixtures.js";
import type { CheckoutKind } from "./shop.js";

/** The same tests run for each checkout. Run them against one shop per order storage. */
for (const kind of ["classic", "block"] satisfies CheckoutKind[]) {
  test.describe(`${kind} checkout:`, () => {
    test.beforeAll(async ({ owner, rest }) => {
      await owner.useCheckout(kind, await rest.checkoutPage());
    });
    test.beforeEach(async ({ gate, owner: _owner, shopper, productId }) => {
      gate.open();
      await shopper.fillCart(productId);
    });

    test("a payment by QR code pays the order once and only then empties the cart", async ({
      shopper,
      rest,
      pay,
    }) => {
      await shopper.placeOrder(kind);
      const { orderId, paymentUrl } = await shopper.waitForQrCode();
      await shopper.cartIsKept();
      expect((await rest.order(orderId)).status).toBe("pending");
      await pay(paymentUrl);
      await shopper.waitForOrderReceived();
      const order = await rest.waitForStatus(orderId, "processing");
      expect(order.transaction_id).toMatch(/^TRX-/);
      await shopper.cartIsEmpty();
      expect((await rest.notes(orderId)).filter((note) => note.includes("Tillgate: paid"))).toHaveLength(1);
    });

    test("a return before the webhook marks the order as paid, and the late webhook changes nothing", async ({
      shopper,
      rest,
      gate,
      pay,
    }) => {
      gate.shut();
      await shopper.placeOrder(kind);
      const { orderId, paymentUrl } = await shopper.waitForQrCode();
      await pay(paymentUrl);
      await shopper.waitForOrderReceived();
      await rest.waitForStatus(orderId, "processing");
      const before = await rest.notes(orderId);
      expect(await gate.deliver(await gate.report("pos.order.paid"))).toBe(200);
      expect(await rest.notes(orderId)).toEqual(before);
    });

    test("the QR code is shown even if the shop's script does not load", async ({ shopper, page }) => {
      await page.route(/\/receipt\.js/, (route) => route.abort());
      await shopper.placeOrder(kind);
      const code = page.locator("[data-tillgate-receipt] img");
      await expect(code).toBeVisible({ timeout: 30_000 });
      const drawnWidth = () => code.evaluate((image) => (image as HTMLImageElement).naturalWidth);
      await expect.poll(drawnWidth).toBeGreaterThan(0);
    });

    test("a webhook alone marks the order as paid after the shopper has left", async ({
      shopper,
      rest,
      pay,
    }) => {
      await shopper.placeOrder(kind);
      const { orderId, paymentUrl } = await shopper.waitForQrCode();
      await shopper.closePage();
      await pay(paymentUrl);
      await rest.waitForStatus(orderId, "processing");
    });

    test("a return and two webhooks at the same time mark the order as paid and add only one note", async ({
      shopper,
      rest,
      gate,
      pay,
      page,
    }) => {
      gate.shut();
      await shopper.placeOrder(kind);
      const { orderId, paymentUrl } = await shopper.waitForQrCode();
      const returnAddress = await page.getByRole("link", { name: "I’ve paid" }).getAttribute("href");
      await shopper.closePage();
      await pay(paymentUrl);
      const report = await gate.report("pos.order.paid");
      if (returnAddress === null) throw new Error("The link “I’ve paid” has no address.");
      const responses = await Promise.all([
        gate.deliver(report),
        gate.deliver(report),
        page.goto(returnAddress).then((answer) => answer?.status() ?? 0),
      ]);
      expect(responses.every((status) => status < 400)).toBe(true);
      await rest.waitForStatus(orderId, "processing");
      expect((await rest.notes(orderId)).filter((note) => note.includes("Tillgate: paid"))).toHaveLength(1);
    });

    test("the scheduled check marks the order as paid without any webhook", async ({
      shopper,
      rest,
      gate,
      owner,
      pay,
    }) => {
      test.setTimeout(420_000);
      gate.shut();
      await shopper.placeOrder(kind);
      const { orderId, paymentUrl } = await shopper.waitForQrCode();
      await shopper.closePage();
      await pay(paymentUrl);
      await expect
        .poll(
          async () => {
            await owner.runBackgroundWork();
            return (await rest.order(orderId)).status;
          },
          // The scheduled check runs every two minutes.
          { timeout: 300_000, intervals: [10_000] },
        )
        .toBe("processing");
      expect(gate.answers).toEqual([]);
    });

    test("duplicate and reordered webhooks create one payment note and one refund record", async ({
      shopper,
      rest,
      gate,
      pay,
      tillgate,
    }) => {
      gate.shut();
      await shopper.placeOrder(kind);
      const { orderId, paymentUrl } = await shopper.waitForQrCode();
      await shopper.closePage();
      await pay(paymentUrl);
      const paid = await gate.report("pos.order.paid");
      const [remote] = (await tillgate.orders.list({ reference: String(orderId) })).orders;
      if (!remote?.trx_id) throw new Error("The order was not paid.");
      await tillgate.refunds.create({ transaction_id: remote.trx_id, amount: "2.00" });
      const refunded = await gate.report("refund.completed");
      for (const report of [refunded, paid, refunded, paid]) expect(await gate.deliver(report)).toBe(200);
      const order = await rest.waitForStatus(orderId, "processing");
      expect(order.refunds.map(({ total }) => total)).toEqual(["-2.00"]);
      expect((await rest.notes(orderId)).filter((note) => note.includes("Tillgate: paid"))).toHaveLength(1);
    });

    test("an expired payment sets the order to Failed and restores the stock, and the order can be paid again", async ({
      shopper,
      rest,
      expire,
      orderOf,
      pay,
      page,
    }) => {
      const failsWhenItExpires = async (orderId: number) => {
        await expire(await orderOf(String(orderId)));
        await rest.waitForStatus(orderId, "failed");
        await page.waitForURL(/pay_for_order/, { timeout: 30_000 });
      };
      const payAgain = async (orderId: number) => {
        await page.locator("label[for=payment_method_tillgate]").click();
        await page.locator("#place_order").click();
        const again = await shopper.waitForQrCode();
        expect(again.orderId).toBe(orderId);
        return again;
      };
      await shopper.placeOrder(kind);
      const { orderId } = await shopper.waitForQrCode();
      await failsWhenItExpires(orderId);
      await shopper.cartIsKept();
      await payAgain(orderId);
      // WooCommerce reduces stock for an order on hold. While it is on hold, any request from the browser, even for an
      // icon, empties the cart.
      const { stock } = await rest.product();
      await rest.updateOrder(orderId, { status: "on-hold" });
      expect((await rest.product()).stock).toBe(stock - 1);
      await failsWhenItExpires(orderId);
      await expect.poll(async () => (await rest.product()).stock).toBe(stock);
      const { paymentUrl } = await payAgain(orderId);
      await pay(paymentUrl);
      await shopper.waitForOrderReceived();
      await rest.waitForStatus(orderId, "processing");
    });

    test("choosing another payment method cancels the payment and keeps the order", async ({
      shopper,
      rest,
      page,
      tillgate,
      orderOf,
    }) => {
      await shopper.placeOrder(kind);
      const { orderId } = await shopper.waitForQrCode();
      const tillgateOrderId = await orderOf(String(orderId));
      await page.getByRole("link", { name: "Choose another payment method" }).click();
      await page.locator("label[for=payment_method_bacs]").click();
      await page.locator("#place_order").click();
      await page.waitForURL(/order-received/);
      await expect
        .poll(async () => (await tillgate.orders.get(tillgateOrderId)).status, { timeout: 30_000 })
        .toBe("CANCELLED");
      await expect
        .poll(async () => (await rest.notes(orderId)).join("\n"))
        .toContain("another payment method was chosen");
      expect((await rest.order(orderId)).status).toBe("on-hold");
    });

    test("a reload and a second tab show the same payment", async ({ shopper, page, tillgate, context }) => {
      const startedAtMs = Date.now();
      await shopper.placeOrder(kind);
      const first = await shopper.waitForQrCode();
      await page.reload();
      const second = await shopper.waitForQrCode();
      const tab = await context.newPage();
      await tab.goto(page.url());
      await expect(tab.locator("[data-tillgate-receipt] svg")).toBeVisible();
      expect(second).toEqual(first);
      // Another shop of the account may have an earlier order with the same number.
      const orders = (await tillgate.orders.list({ reference: String(first.orderId) })).orders.filter(
        ({ created_at }) => Date.parse(created_at) > startedAtMs - 2_000,
      );
      expect(orders).toHaveLength(1);
    });

    test("an order that was paid before the shop cancelled it becomes Processing", async ({
      shopper,
      rest,
      gate,
      pay,
    }) => {
      gate.shut();
      await shopper.placeOrder(kind);
      const { orderId, paymentUrl } = await shopper.waitForQrCode();
      await shopper.closePage();
      await pay(paymentUrl);
      await rest.updateOrder(orderId, { status: "cancelled" });
      await rest.waitForStatus(orderId, "processing");
    });

    test("refunds made in the shop and at Tillgate each move the money once and create one record", async ({
      shopper,
      rest,
      pay,
      tillgate,
    }) => {
      await shopper.placeOrder(kind);
      const { orderId, paymentUrl } = await shopper.waitForQrCode();
      await shopper.closePage();
      await pay(paymentUrl);
      const order = await rest.waitForStatus(orderId, "processing");
      const refunds = async () =>
        (await tillgate.refunds.list({ transaction_id: order.transaction_id })).refunds.map(
          ({ raw_amount }) => raw_amount,
        );

      expect(await rest.refund(orderId, "4.00")).toEqual({ status: 201, text: "" });
      expect(await refunds()).toEqual([4]);
      await tillgate.refunds.create({ transaction_id: order.transaction_id, amount: "3.50" });
      await expect.poll(async () => (await rest.order(orderId)).refunds.length).toBe(2);
      expect((await rest.order(orderId)).status).toBe("processing");
      expect((await rest.refund(orderId, "5.00")).status).toBe(201);
      await rest.waitForStatus(orderId, "refunded");
      expect((await refunds()).sort()).toEqual([3.5, 4, 5]);
      await expect
        .poll(async () => (await rest.notes(orderId)).filter((one) => one.includes("refunded")).length)
        .toBeGreaterThanOrEqual(3);
      expect((await rest.order(orderId)).refunds.map(({ total }) => total).sort()).toEqual([
        "-3.50",
        "-4.00",
        "-5.00",
      ]);
    });

    test("cancelling on the payment page cancels the order and returns to the cart with its items", async ({
      shopper,
      rest,
      page,
    }) => {
      await shopper.placeOrder(kind);
      const { orderId, paymentUrl } = await shopper.waitForQrCode();
      await page.goto(paymentUrl);
      await page.getByTestId("pay-cancel-open").click();
      await page.getByTestId("pay-cancel").click();
      await rest.waitForStatus(orderId, "cancelled");
      await page
        .getByTestId("pay-return")
        .click({ timeout: 10_000 })
        .catch(() => undefined);
      await page.waitForURL(/\/cart\//, { timeout: 30_000 });
      await shopper.cartIsKept();
    });
  });
}
