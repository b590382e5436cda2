import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/test.js";
import { paymentStates } from "../page-states.js";
import { PaymentPage } from "../pages/payment-page.js";

const PHONE = { width: 360, height: 740 };
const minutes = 60_000;

/** Sets the text size to 200%. @returns descriptions of the texts and fields that the screen or a box clips */
async function clippedTexts(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  return page.evaluate(() => {
    const cut: string[] = [];
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > width)
      cut.push(`page ${document.documentElement.scrollWidth}`);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const parent = node.parentElement;
      if (
        !parent ||
        !node.textContent?.trim() ||
        parent.closest("noscript, script, .hidden, .unseen, .test-note")
      )
        continue;
      if (!parent.checkVisibility({ visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const { left, right, top, bottom } of range.getClientRects()) {
        const text = node.textContent.trim().slice(0, 40);
        if (left < -1 || right > width + 1) cut.push(`${text}: ${Math.round(left)} to ${Math.round(right)}`);
        for (let box: Element | null = parent; box !== null; box = box.parentElement) {
          const clips = /hidden|clip/.test(getComputedStyle(box).overflow);
          if (!clips && !box.matches("button, .button, summary")) continue;
          const around = box.getBoundingClientRect();
          const within =
            left >= around.left - 1 &&
            right <= around.right + 1 &&
            top >= around.top - 4 &&
            bottom <= around.bottom + 4;
          if (!within) cut.push(`${text}: cut by ${box.tagName.toLowerCase()}.${box.className}`);
        }
      }
    }
    for (const field of document.querySelectorAll<HTMLInputElement>("input:not([type=hidden]), select"))
      if (field.getBoundingClientRect().right > width + 1) cut.push(`field ${field.name}`);
    return [...new Set(cut)];
  });
}

test("text at 200% is not clipped in any state of the payment page on a phone @one-width", async ({
  browser,
  sandbox,
  tillgate,
}) => {
  test.setTimeout(5 * minutes);
  const found: Record<string, string[]> = {};
  for (const [name, reach] of Object.entries(paymentStates(sandbox, browser))) {
    const context = await browser.newContext({ viewport: PHONE, locale: "de-DE", reducedMotion: "reduce" });
    const payment = new PaymentPage(await context.newPage());
    const order = await tillgate.placeOrder("1234567.89", {
      reference: "WINTER-2026-000104211",
      locale: "de",
    });
    const small = await tillgate.placeOrder("18.50", { reference: "WINTER-2026-000104211", locale: "de" });
    const long = [
      "signed-out",
      "opened",
      "declined",
      "wrong-sign-in",
      "checking",
      "code",
      "cancelled",
      "expired",
    ];
    const used = long.includes(name) ? order : small;
    await payment.open(used.address);
    await reach(payment, used);
    const cut = await clippedTexts(payment.page);
    if (cut.length > 0) {
      found[name] = cut;
      await payment.page.screenshot({ path: test.info().outputPath(`${name}.png`), fullPage: true });
    }
    await context.close();
  }
  expect(found).toEqual({});
});

test("text at 200% is not clipped in the wallet, in a frame or in the shop on a phone @one-width", async ({
  page,
  shop,
  shopper,
  sandbox,
  tillgate,
}) => {
  test.setTimeout(2 * minutes);
  await page.setViewportSize(PHONE);
  const found: Record<string, string[]> = {};
  const checkClipping = async (name: string) => {
    const cut = await clippedTexts(page);
    if (cut.length > 0) {
      found[name] = cut;
      await page.screenshot({ path: test.info().outputPath(`${name}.png`), fullPage: true });
    }
  };
  const { address } = await tillgate.placeOrder("1234567.89", { locale: "de" });
  await page.goto(address.replace("/pay/", "/embed/"));
  await checkClipping("frame");
  for (const path of ["sign-in", "new", "forgot-pin"]) {
    await page.goto(`${sandbox.pay}/wallet/${path}?lang=de`);
    await checkClipping(path);
  }
  await page.goto(`${sandbox.pay}/wallet/sign-in`);
  const payment = new PaymentPage(page);
  await payment.signIn(shopper.phone, shopper.pin);
  await page.waitForURL(/\/wallet$/);
  for (const path of ["", "/activity", "/security", "/convert", "/top-up"]) {
    await page.goto(`${sandbox.pay}/wallet${path}`);
    await checkClipping(`wallet${path}`);
  }
  await page.goto(`${sandbox.pay}/wallet/activity`);
  await page.locator(".activity a").first().click();
  await page.getByTestId("wallet-receipt").waitFor();
  await checkClipping("wallet receipt");
  await page.goto(shop.address);
  await checkClipping("shop");
  await shop.placeOrder();
  await checkClipping("the shop's QR code page");
  await page.goto(`${page.url()}&show=code`);
  await checkClipping("the shop's QR code page with the code shown");
  expect(found).toEqual({});
});
