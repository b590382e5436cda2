import { exec } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { readStagingCopy } from "./environment.js";
import { expect, test } from "./fixtures.js";
import { Administrator, ShopRest } from "./shop.js";
import { Shopper } from "./shopper.js";

/** Number of background runs, enough to reach the scheduled check, which runs every two minutes. */
const SWEEPS = 12;
const SWEEP_INTERVAL_MS = 10_000;

const copy = readStagingCopy();

/** Needs WOO_COPY_URL and WOO_COPY_COMMAND. */
test.describe("a staging copy", () => {
  test.skip(copy === null, "WOO_COPY_URL or WOO_COPY_COMMAND is not set.");

  test("whose orders were deleted cancels and refunds nothing, offers no payments, and asks its owner whether the shop moved", async ({
    browser,
    environment,
    gate,
    orderOf,
    owner: _connected,
    paidElsewhere,
    pay,
    productId,
    rest,
    tillgate,
  }) => {
    if (copy === null) throw new Error("WOO_COPY_URL or WOO_COPY_COMMAND is not set.");
    test.setTimeout(420_000);
    gate.shut();
    const paidId = await paidElsewhere();
    const visitors = await browser.newContext();
    const shopper = new Shopper(await visitors.newPage(), environment.url);
    const { orderId: openId, paymentUrl } = await shopper.order(productId, "block");
    await visitors.close();
    const [openPayment, payment] = [await orderOf(String(openId)), await orderOf(String(paidId))];
    await promisify(exec)(copy.command);
    const context = await browser.newContext();
    try {
      const owner = new Administrator(await context.newPage(), copy.url);
      await owner.signIn(environment.administrator);
      const copyRest = new ShopRest({ ...environment, url: copy.url });
      for (const id of [openId, paidId]) await copyRest.deleteOrder(id);
      for (let sweeps = 0; sweeps < SWEEPS; sweeps += 1) {
        await owner.runBackgroundWork();
        await delay(SWEEP_INTERVAL_MS);
      }
      const { trx_id, status } = await tillgate.orders.get(payment);
      expect(status).toBe("PAID");
      expect((await tillgate.refunds.list({ transaction_id: trx_id ?? "" })).refunds).toEqual([]);
      expect((await tillgate.orders.get(openPayment)).status).toBe("PENDING");

      const customer = new Shopper(await context.newPage(), copy.url);
      await customer.fillCart(productId);
      expect(await customer.offeredMethods()).not.toContain("tillgate");
      await owner.openSettings();
      await expect(owner.page.locator("[data-tillgate-notice=site]")).toContainText("Did this shop move?");
    } finally {
      await context.close();
    }
    gate.open();
    await pay(paymentUrl);
    await rest.waitForStatus(openId, "processing");
  });
});
