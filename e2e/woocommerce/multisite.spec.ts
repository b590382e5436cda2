import type { Page } from "@playwright/test";
import { createPayClient, type PayClient } from "@tillgate/client";
import { readSecondSite } from "./environment.js";
import { expect, test } from "./fixtures.js";
import { ReportGate } from "./report-gate.js";
import { Administrator, ShopRest } from "./shop.js";
import { Shopper } from "./shopper.js";

const second = readSecondSite();

/** One site of the network, with separate API keys. */
type Site = { owner: Administrator; rest: ShopRest; gate: ReportGate; tillgate: PayClient; shopper: Shopper };

/** Needs WOO_SECOND_URL, the address of another shop in the same network. */
test.describe("sites of a multisite network", () => {
  test.skip(second === null, "WOO_SECOND_URL is not set.");
  test.describe.configure({ mode: "serial" });

  let secondSite: Omit<Site, "shopper">;

  test.beforeAll(async ({ owner, sandbox, settings }) => {
    if (second === null) return;
    const { client_id, client_secret } = sandbox.other_merchant;
    const gate = new ReportGate(second.url);
    secondSite = {
      // The users of a network sign in once for all sites.
      owner: new Administrator(await owner.page.context().newPage(), second.url),
      rest: new ShopRest(second),
      gate,
      tillgate: createPayClient({
        baseUrl: sandbox.api,
        mode: "sandbox",
        clientId: client_id,
        clientSecret: client_secret,
      }),
    };
    const report_address = await gate.start();
    await secondSite.owner.saveSettings({ ...settings, client_id, client_secret, report_address });
  });

  test.afterAll(() => secondSite?.gate.stop());

  const secondShop = (page: Page): Site => {
    if (second === null) throw new Error("WOO_SECOND_URL is not set.");
    return { ...secondSite, shopper: new Shopper(page, second.url) };
  };

  type Pay = (paymentUrl: string) => Promise<void>;

  /** Pays a new order. The shop may not know of the payment yet. @returns the order ID */
  async function payOrder({ rest, shopper }: Site, pay: Pay): Promise<number> {
    const { order, payAddress } = await rest.createOrder((await rest.product()).id, 1);
    await shopper.payByLink(payAddress);
    const { paymentUrl } = await shopper.waitForQrCode();
    await shopper.closePage();
    await pay(paymentUrl);
    return order.id;
  }

  /** Pays a new order, and waits until it is Processing. @returns the order ID and the transaction ID */
  const payNewOrder = async (site: Site, pay: Pay): Promise<{ id: number; transaction_id: string }> =>
    site.rest.waitForStatus(await payOrder(site, pay), "processing");

  test("each process payments, refunds and webhooks with separate API keys", async ({
    owner,
    rest,
    gate,
    tillgate,
    shopper,
    page,
    pay,
  }) => {
    const sites = [{ owner, rest, gate, tillgate, shopper }, secondShop(page)];
    for (const [at, site] of sites.entries()) {
      await test.step(at === 0 ? "the main site" : "the second site", async () => {
        site.gate.open();
        const { id, transaction_id } = await payNewOrder(site, pay);
        await expect.poll(() => site.gate.answers).toEqual([200]);
        const other = sites[1 - at];
        await expect(other?.tillgate.refunds.create({ transaction_id })).rejects.toThrow();

        expect((await site.rest.refund(id, "3.00")).status).toBe(201);
        await site.tillgate.refunds.create({ transaction_id, amount: "2.00" });
        await expect
          .poll(async () => (await site.rest.refunds(id)).map(({ amount }) => amount).sort())
          .toEqual(["2.00", "3.00"]);
        const { refunds } = await site.tillgate.refunds.list({ transaction_id });
        expect(refunds.map(({ status }) => status)).toEqual(["completed", "completed"]);
        expect(await site.owner.hasSchedule()).toBe(true);
      });
    }
  });

  test("have separate status pages, and the second site rejects the main site's webhook with 401", async ({
    owner,
    rest,
    gate,
    tillgate,
    shopper,
    page,
    pay,
  }) => {
    const main = { owner, rest, gate, tillgate, shopper };
    const other = secondShop(page);
    gate.shut();
    const id = await payOrder(main, pay);
    const report = await gate.report("pos.order.paid");
    expect(await other.gate.deliver(report)).toBe(401);
    await other.owner.openHealth();
    await expect(other.owner.health("refused")).toHaveAttribute("data-state", "bad");
    await main.owner.openHealth();
    await expect(main.owner.health("refused")).toHaveAttribute("data-state", "good");
    expect(await gate.deliver(report)).toBe(200);
    await rest.waitForStatus(id, "processing");
  });

  test("stop their background tasks when the plugin is deactivated, on one site or for the network", async ({
    owner,
    rest,
    gate,
    tillgate,
    shopper,
    page,
    pay,
  }) => {
    test.setTimeout(240_000);
    const other = secondShop(page);
    gate.open();
    await owner.clickPluginLink("Network Deactivate", "network/plugins.php");
    expect(await owner.hasSchedule()).toBe(false);
    expect(await other.owner.hasSchedule()).toBe(false);

    for (const site of [owner, other.owner]) await site.clickPluginLink("Activate", "plugins.php");
    await expect.poll(() => owner.hasSchedule()).toBe(true);
    await expect.poll(() => other.owner.hasSchedule()).toBe(true);
    await other.owner.clickPluginLink("Deactivate", "plugins.php");
    expect(await other.owner.hasSchedule()).toBe(false);
    expect(await owner.hasSchedule()).toBe(true);
    await payNewOrder({ owner, rest, gate, tillgate, shopper }, pay);
    // Settings survive a deactivation.
    await other.owner.clickPluginLink("Activate", "plugins.php");
    other.gate.open();
    await payNewOrder(other, pay);
    await owner.clickPluginLink("Network Activate", "network/plugins.php");
  });
});
