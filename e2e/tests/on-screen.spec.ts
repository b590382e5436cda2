import type { Page } from "@playwright/test";
import { expectAccessible } from "../fixtures/axe.js";
import { expect, test } from "../fixtures/test.js";

const phones = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
];

for (const phone of phones) {
  test.describe(`a ${phone.width} × ${phone.height} phone`, () => {
    test.use({ viewport: phone, isMobile: true, hasTouch: true });

    test("shows success at the top of the screen, with focus on its heading @one-width", async ({
      payment,
      tillgate,
    }) => {
      const { page } = payment;
      await payment.open((await tillgate.placeOrder()).address);
      await payment.approve.scrollIntoViewIfNeeded();
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
      await payment.approve.click();
      await payment.expectStatus("PAID");
      expect(await page.evaluate(() => scrollY)).toBe(0);
      await expect(payment.status).toBeInViewport({ ratio: 1 });
      await expect(payment.amount).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
    });

    test("shows the error message for a wrong PIN, with focus on the PIN field @one-width", async ({
      payment,
      shopper,
      tillgate,
    }) => {
      await payment.open((await tillgate.placeOrder()).address);
      await payment.signIn(shopper.phone, shopper.pin === "482915" ? "482916" : "482915");
      await payment.expectNotice("wrong_sign_in");
      await expect(payment.pin).toBeFocused();
      await expect(payment.notice).toBeInViewport({ ratio: 1 });
    });
  });
}

/** Measures the horizontal overflow in pixels, and finds the numbers that wrap. */
const measure = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const parted: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      for (const number of (text.textContent ?? "").matchAll(/\d+\.\d+/g)) {
        const range = document.createRange();
        range.setStart(text, number.index);
        range.setEnd(text, number.index + number[0].length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) parted.push(number[0]);
      }
    }
    return { sideways: scrollWidth - clientWidth, parted };
  });

test.describe("text at 200% on a 360 px phone", () => {
  test.use({ viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true });
  test.beforeEach(({ page }) =>
    page.addInitScript(() => {
      addEventListener("DOMContentLoaded", () => {
        document.documentElement.style.fontSize = "200%";
      });
    }),
  );

  test("causes no horizontal scrolling and wraps no amount, not even the largest @one-width", async ({
    payment,
    shopper,
    tillgate,
  }) => {
    const { page } = payment;
    const whole = { sideways: 0, parted: [] };
    await payment.open((await tillgate.placeOrder("99999999999.99")).address);
    expect(await measure(page)).toEqual(whole);
    await page.getByTestId("pay-qr-open").click();
    await page.getByTestId("pay-cancel-open").click();
    expect(await measure(page)).toEqual(whole);
    await payment.signIn(shopper.phone, shopper.pin);
    await expect(page.getByTestId("pay-insufficient")).toBeVisible();
    expect(await measure(page)).toEqual(whole);

    await payment.open((await tillgate.placeOrder("3.50")).address);
    await payment.confirmPin.fill(shopper.pin);
    expect(await measure(page)).toEqual(whole);
    await payment.confirm.click();
    await payment.expectStatus("PAID");
    await expect(payment.transaction).toBeVisible();
    expect(await measure(page)).toEqual(whole);
  });
});

for (const [device, viewport] of [
  ["phone", { width: 360, height: 640 }],
  ["desktop", { width: 1280, height: 800 }],
] as const) {
  test(`on a ${device} the countdown keeps its width from 10:00 to 09:59 and while paused, and nothing next to it shifts @one-width`, async ({
    payment,
    tillgate,
  }) => {
    const { page } = payment;
    await page.setViewportSize(viewport);
    await page.clock.install();
    await payment.sendKeepAlivesOnly();
    const order = await tillgate.orders.create({ amount: "1.00", currency: "EUR", expires_in: 605 });
    await payment.open(order.payment_url ?? "");
    const clock = page.getByTestId("pay-countdown");
    const row = page.locator(".progress");
    const places = async () => ({
      clock: await clock.boundingBox(),
      status: await payment.status.boundingBox(),
      row: await row.boundingBox(),
      timeLeft: await row.locator(".time-left").boundingBox(),
    });
    await page.clock.pauseAt(new Date(Date.now() + 2000));
    const before = await places();
    await expect(clock).toHaveText(/^10:0\d$/);
    await page.clock.runFor(10_000);
    await expect(clock).toHaveText(/^09:5\d$/);
    expect(await places()).toEqual(before);
    await page.context().setOffline(true);
    await expect(clock).toHaveClass(/paused/);
    expect(await places()).toEqual(before);
  });
}

test("the shop owner's order list shows status, total and customer on a phone @one-width", async ({
  shop,
  page,
  sandbox,
}) => {
  const order = await shop.placeOrder();
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`${shop.address}/owner/sign-in`);
  await expectAccessible(page, "the owner's sign-in on a phone");
  await page.getByLabel("Password").fill(sandbox.store_owner.password);
  await page.getByTestId("owner-sign-in").click();
  const row = page.getByTestId(`owner-order-${order.id}`);
  for (const element of [row.locator(".status"), row.getByText("18.50")]) {
    await expect(element).toBeInViewport({ ratio: 1 });
  }
  await expect(row.getByText("Noor Shopper").filter({ visible: true })).toBeVisible();
  await expectAccessible(page, "the owner's orders on a phone");
  await row.getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible(page, "the owner's order on a phone");
});
