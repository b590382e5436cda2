import type { Page } from "@playwright/test";
import { STREAM_ALIVE_EVENT } from "@tillgate/contract";
import { expectPageQuality } from "../fixtures/axe.js";
import { type FaultyPage, openFaultyPage } from "../fixtures/faulty-page.js";
import { test as base, expect } from "../fixtures/test.js";
import type { PlacedOrder, Tillgate } from "../fixtures/tillgate.js";
import { PaymentPage } from "../pages/payment-page.js";

/** A stream silent for 25 seconds counts as dead. */
const OVER_SILENCE_LIMIT_MS = 26_000;
/** Time limit for the page to report a failure. */
const REPORT_LIMIT_MS = 5000;

/**
 * Tests of live updates, with a payment page whose connections can be broken. The page is started once per worker, and its connections are repaired
 * after each test.
 */
const test = base.extend<{ faulty: FaultyPage }, { startedPage: FaultyPage }>({
  startedPage: [
    async ({ sandbox }, use) => {
      const page = await openFaultyPage(sandbox);
      await use(page);
      await page.close();
    },
    { scope: "worker" },
  ],
  faulty: async ({ startedPage }, use) => {
    await use(startedPage);
    await Promise.all([startedPage.toApi.repair(), startedPage.toBrowser.repair()]);
  },
});

const connection = (page: Page) => page.getByTestId("pay-connection");
const clock = (page: Page) => page.getByTestId("pay-countdown");

async function openOrder(payment: PaymentPage, faulty: FaultyPage, tillgate: Tillgate): Promise<PlacedOrder> {
  const order = await tillgate.placeOrder();
  await payment.open(faulty.addressOf(order.address));
  await payment.expectStatus("PENDING");
  return order;
}

/** Pays on another device, unaffected by the broken connections. */
async function payOnOtherDevice(payment: PaymentPage, order: PlacedOrder): Promise<void> {
  const elsewhere = await payment.page.context().browser()?.newContext();
  if (!elsewhere) throw new Error("No browser available.");
  const other = await new PaymentPage(await elsewhere.newPage()).open(order.address);
  await other.approve.click();
  await other.expectStatus("PAID");
  await elsewhere.close();
}

test("a silently dead stream is detected after 25 s, and polling takes over @one-width", async ({
  payment,
  faulty,
  tillgate,
}) => {
  const { page } = payment;
  await page.clock.install();
  const opened = page.waitForResponse(/\/events$/);
  const order = await openOrder(payment, faulty, tillgate);
  await opened;
  faulty.toBrowser.stall();
  await payOnOtherDevice(payment, order);
  await payment.expectStatus("PENDING");
  await page.clock.fastForward(OVER_SILENCE_LIMIT_MS);
  await payment.expectStatus("PAID");
});

test("no polling happens while the stream is alive @one-width", async ({ payment, faulty, tillgate }) => {
  const { page } = payment;
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname.split("/").at(-1) ?? ""));
  await openOrder(payment, faulty, tillgate);
  // Longer than two keep-alive intervals and than the silence limit.
  await page.waitForTimeout(32_000);
  expect(requests.filter((name) => name === "events")).toHaveLength(1);
  expect(requests).not.toContain("status");
  await expect(connection(page)).toBeHidden();
});

test("polling follows the order when a proxy buffers the stream @one-width", async ({
  payment,
  faulty,
  tillgate,
}) => {
  await payment.page.route(/\/events$/, () => {});
  const order = await openOrder(payment, faulty, tillgate);
  await payOnOtherDevice(payment, order);
  await payment.expectStatus("PAID");
});

test("a payment page reports within a second that it is offline, pauses its countdown, and shows a payment made meanwhile when online again @one-width", async ({
  payment,
  faulty,
  tillgate,
}) => {
  const { page } = payment;
  const order = await openOrder(payment, faulty, tillgate);
  await payment.identifier.fill("anna@example.com");
  await page.context().setOffline(true);
  await expect(connection(page)).toContainText("You’re offline", { timeout: 1000 });
  const stood = await clock(page).textContent();
  await page.waitForTimeout(2500);
  expect(await clock(page).textContent()).toBe(stood);
  await expectPageQuality(page, "offline");
  await payOnOtherDevice(payment, order);
  await page.context().setOffline(false);
  await payment.expectStatus("PAID");
  await expect(connection(page)).toBeHidden();
});

test("a buffered stream message that arrives after the connection broke does not hide that the page is offline @one-width", async ({
  payment,
  faulty,
  tillgate,
}) => {
  const { page } = payment;
  await page.addInitScript(() => {
    const Browser = EventSource;
    window.EventSource = class extends Browser {
      constructor(address: string | URL) {
        super(address);
        Reflect.set(window, "stream", this);
      }
    };
  });
  await openOrder(payment, faulty, tillgate);
  await page.context().setOffline(true);
  await page.evaluate((name) => {
    const stream: unknown = Reflect.get(window, "stream");
    if (!(stream instanceof EventTarget)) throw new Error("No stream found.");
    return new Promise<void>((resolve) => {
      if (!navigator.onLine) resolve();
      addEventListener("offline", () => setTimeout(resolve));
    }).then(() => stream.dispatchEvent(new MessageEvent(name)));
  }, STREAM_ALIVE_EVENT);
  await expect(connection(page)).toContainText("You’re offline", { timeout: 1000 });
});

test("after the page was offline, its countdown is correct and its input is preserved @one-width", async ({
  payment,
  faulty,
  tillgate,
}) => {
  const { page } = payment;
  await openOrder(payment, faulty, tillgate);
  await payment.identifier.fill("anna@example.com");
  await page.context().setOffline(true);
  await expect(connection(page)).toBeVisible();
  const stood = await clock(page).textContent();
  await page.waitForTimeout(2500);
  await page.context().setOffline(false);
  await expect(connection(page)).toBeHidden();
  const shown = (text: string | null) =>
    (text ?? "").split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0);
  await expect.poll(async () => shown(await clock(page).textContent())).toBeLessThan(shown(stood) - 1);
  await expect(payment.identifier).toHaveValue("anna@example.com");
});

for (const [failure, fail] of [
  ["the API became unreachable", (faulty: FaultyPage) => faulty.toApi.cut()],
  ["the page's server became unreachable", (faulty: FaultyPage) => faulty.toBrowser.cut()],
] as const) {
  test(`after ${failure}, the page reports the failure within 5 s and recovers automatically @one-width`, async ({
    payment,
    faulty,
    tillgate,
  }) => {
    const { page } = payment;
    const order = await openOrder(payment, faulty, tillgate);
    await payment.identifier.fill("anna@example.com");
    await expect(clock(page)).toBeVisible();
    await fail(faulty);
    await expect(connection(page)).toContainText(/can’t reach|Connection lost/, { timeout: REPORT_LIMIT_MS });
    await expect(payment.identifier).toHaveValue("anna@example.com");
    await Promise.all([faulty.toApi.repair(), faulty.toBrowser.repair()]);
    await expect(connection(page)).toBeHidden();
    await payOnOtherDevice(payment, order);
    await payment.expectStatus("PAID");
  });
}

test("a failed refresh of the payment page is retried, and the page stays usable @one-width", async ({
  payment,
  faulty,
  tillgate,
}) => {
  const { page } = payment;
  const order = await openOrder(payment, faulty, tillgate);
  await page.route(/\/pay\/[^/]+$/, (route) => route.abort("connectionreset"));
  await payOnOtherDevice(payment, order);
  await expect(connection(page)).toContainText("Connection lost");
  await payment.expectStatus("PENDING");
  await page.unroute(/\/pay\/[^/]+$/);
  await payment.expectStatus("PAID");
});

test("the service-unavailable page does not reload while the API is down, and shows the payment page when the API is back @one-width", async ({
  payment,
  faulty,
  tillgate,
}) => {
  const { page } = payment;
  const order = await tillgate.placeOrder();
  await faulty.toApi.cut();
  await payment.open(faulty.addressOf(order.address));
  await expect(payment.status).toHaveAttribute("data-status", "UNAVAILABLE");
  await expectPageQuality(page, "service unavailable");
  let loads = 0;
  page.on("load", () => (loads += 1));
  await page.waitForTimeout(12_000);
  expect(loads).toBe(0);
  await faulty.toApi.repair();
  await payment.expectStatus("PENDING");
});

test("the page of an order with a refund in progress shows the completed refund without a reload @one-width", async ({
  payment,
  faulty,
  administrator,
}) => {
  const refund = await administrator.createPendingRefund();
  await payment.open(faulty.addressOf(refund.address));
  await payment.expectStatus("REFUND_PENDING");
  await expectPageQuality(payment.page, "a refund in progress");
  let loads = 0;
  payment.page.on("load", () => (loads += 1));
  await administrator.approve(refund.id);
  await payment.expectStatus("REFUNDED");
  expect(loads).toBe(0);
});
