import { test as base, expect } from "@playwright/test";
import { createPayClient, type PayClient } from "@tillgate/client";
import type { Sandbox } from "@tillgate/stack";
import { ApiDatabase } from "../fixtures/api-database.js";
import { readSandbox } from "../fixtures/sandbox.js";
import { PaymentPage } from "../pages/payment-page.js";
import { readShopEnvironment, type ShopEnvironment } from "./environment.js";
import { ReportGate } from "./report-gate.js";
import { Administrator, ShopRest, zip } from "./shop.js";
import { Shopper } from "./shopper.js";

type PerRun = {
  environment: ShopEnvironment;
  sandbox: Sandbox;
  rest: ShopRest;
  tillgate: PayClient;
  gate: ReportGate;
  /** Plugin settings with pasted API keys. */
  settings: Record<string, string | boolean>;
  /** The signed-in owner, with the plugin installed and set up with pasted API keys. Shared by all tests. */
  owner: Administrator;
  productId: number;
  /** Moves an order's expiry into the past. Nothing else is faked in these tests. */
  expire: (tillgateOrderId: string) => Promise<void>;
};

type PerTest = {
  shopper: Shopper;
  /** Approves the payment at Tillgate on another device. */
  pay: (paymentUrl: string) => Promise<void>;
  /** Orders a product in the block checkout and pays on another device with the shop's page closed. @returns the order ID */
  paidElsewhere: () => Promise<number>;
  /** Returns the ID of the latest Tillgate order with this reference, which is the number of the shop's order. */
  orderOf: (reference: string) => Promise<string>;
};

export const test = base.extend<PerTest, PerRun>({
  environment: [async ({ browserName: _browser }, use) => use(readShopEnvironment()), { scope: "worker" }],
  sandbox: [async ({ browserName: _browser }, use) => use(await readSandbox()), { scope: "worker" }],
  rest: [async ({ environment }, use) => use(new ShopRest(environment)), { scope: "worker" }],
  tillgate: [
    async ({ sandbox }, use) =>
      use(
        createPayClient({
          baseUrl: sandbox.api,
          mode: "sandbox",
          clientId: sandbox.merchant.client_id,
          clientSecret: sandbox.merchant.client_secret,
        }),
      ),
    { scope: "worker" },
  ],
  gate: [
    async ({ environment }, use) => {
      const gate = new ReportGate(environment.url);
      await use(gate);
      await gate.stop();
    },
    { scope: "worker" },
  ],
  settings: [
    async ({ gate, sandbox }, use) => {
      await use({
        enabled: true,
        mode: "sandbox",
        address: sandbox.api,
        client_id: sandbox.merchant.client_id,
        client_secret: sandbox.merchant.client_secret,
        report_address: await gate.start(),
        show_as: "qr",
        expires_in: "15",
      });
    },
    { scope: "worker" },
  ],
  owner: [
    async ({ browser, environment, rest, settings }, use) => {
      const context = await browser.newContext();
      const owner = new Administrator(await context.newPage(), environment.url);
      await owner.signIn(environment.administrator);
      // WooCommerce switches a new shop without orders to HPOS when its admin is first opened.
      expect(await rest.orderStorage()).toBe(environment.orderStorage);
      if (environment.needsObjectCache) expect(await rest.hasObjectCache()).toBe(true);
      await owner.install(zip);
      await owner.saveSettings(settings);
      await use(owner);
      expect(await rest.orderStorage()).toBe(environment.orderStorage);
      await context.close();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  productId: [async ({ rest }, use) => use((await rest.product()).id), { scope: "worker" }],
  expire: [
    async ({ sandbox }, use) => {
      const books = new ApiDatabase(sandbox.database_url);
      await use((tillgateOrderId) => books.expireOrder(tillgateOrderId));
    },
    { scope: "worker" },
  ],
  shopper: async ({ page, environment }, use) => use(new Shopper(page, environment.url)),
  pay: async ({ browser }, use) => {
    const phone = await browser.newContext({ viewport: { width: 390, height: 844 } });
    await use(async (paymentUrl) => {
      const payment = new PaymentPage(await phone.newPage());
      await payment.open(paymentUrl);
      await payment.approve.click();
      await payment.expectStatus("PAID");
      await payment.page.close();
    });
    await phone.close();
  },
  paidElsewhere: async ({ shopper, productId, pay }, use) => {
    await use(async () => {
      const { orderId, paymentUrl } = await shopper.order(productId, "block");
      await shopper.closePage();
      await pay(paymentUrl);
      return orderId;
    });
  },
  orderOf: async ({ tillgate }, use) => {
    await use(async (reference) => {
      const [order] = (await tillgate.orders.list({ reference })).orders;
      if (order === undefined) throw new Error(`Tillgate has no order with the reference ${reference}.`);
      return order.order_id;
    });
  },
});

export { expect };
