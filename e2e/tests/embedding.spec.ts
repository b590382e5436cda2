import type { Page } from "@playwright/test";
import { expectAccessible } from "../fixtures/axe.js";
import { openForeignSite } from "../fixtures/foreign-site.js";
import { expect, test } from "../fixtures/test.js";
import type { Tillgate } from "../fixtures/tillgate.js";
import { PaymentPage } from "../pages/payment-page.js";
import type { Shop } from "../pages/shop.js";

test("a payment in a dialog needs no cookies of the payment page, and the dialog works with the keyboard and keeps the focus @one-width", async ({
  shop,
  page,
  context,
  storeOrders,
}) => {
  const order = await shop.placeOrder();
  const opener = page.getByTestId("pay-in-shop");
  const dialog = page.locator("tillgate-pay dialog");
  const frame = page.frameLocator("tillgate-pay iframe");
  const waits = frame.getByTestId("pay-status");
  // Until the script has loaded, the link opens the payment page instead of the dialog.
  await page.waitForFunction(() => customElements.get("tillgate-pay") !== undefined);
  await opener.focus();
  await page.keyboard.press("Enter");
  await expect(waits).toHaveAttribute("data-status", "PENDING");
  await expect(frame.getByTestId("pay-at-top")).toHaveAttribute("rel", "noopener");

  // Tab around the dialog more than once: the page behind is never focused.
  for (let pressed = 0; pressed < 12; pressed += 1) {
    await page.keyboard.press("Tab");
    const reached = await page.evaluate(() => document.activeElement?.localName);
    expect(["tillgate-pay", "body"]).toContain(reached);
  }
  // Inside the frame, the frame handles the key; outside, the browser handles it.
  await frame.getByTestId("pay-at-top").focus();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(waits).toHaveAttribute("data-status", "PENDING");
  await dialog.getByRole("button", { name: "Close" }).focus();
  await page.keyboard.press("Escape");
  await expect(opener).toBeFocused();

  await page.setViewportSize({ width: 320, height: 700 });
  await opener.click();
  await expect(waits).toBeVisible();
  await expectAccessible(page, "the shop's page with the dialog");
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways).toBe(0);
  await frame.getByTestId("pay-decline").click();
  await expect(frame.getByTestId("pay-notice")).toHaveAttribute("data-notice", "declined");
  // The shop redirects as soon as it gets the message, so record it first.
  const states: unknown[] = [];
  await page.exposeFunction("recordState", (detail: unknown) => states.push(detail));
  await page.evaluate(() =>
    addEventListener("tillgate-state", (event) => {
      if (event instanceof CustomEvent && "recordState" in window && typeof window.recordState === "function")
        window.recordState(event.detail);
    }),
  );
  await frame.getByTestId("pay-approve").click();
  await shop.expectReceived("processing");
  expect(states).toContainEqual({ state: "PAID" });
  await storeOrders.waitFor(order.id, "processing");
  const cookies = await context.cookies();
  expect(cookies.filter(({ name }) => name.includes("tillgate_pay"))).toEqual([]);
});

test("an unregistered site gets no frame and no messages, and its link still opens the payment page @one-width", async ({
  page,
  sandbox,
  tillgate,
  payment,
}) => {
  const order = await tillgate.placeOrder();
  const site = await openForeignSite(
    `<script src="${sandbox.pay}/tillgate.js"></script>
     <script>window.heard = []; addEventListener("message", ({ data }) => heard.push(data));</script>
     <tillgate-pay payment-url="${order.address}" open><a id="link" href="${order.address}">Pay</a></tillgate-pay>`,
  );
  try {
    await page.goto(site.origin);
    const dialog = page.locator("tillgate-pay dialog");
    await expect(dialog).toBeVisible();
    await expect
      .poll(() =>
        page
          .frames()
          .find((one) => one.parentFrame() !== null)
          ?.url(),
      )
      .toBe("chrome-error://chromewebdata/");
    await expect(page.frameLocator("tillgate-pay iframe").getByTestId("pay-status")).toHaveCount(0);
    expect(await page.evaluate("heard")).toEqual([]);
    await expect(dialog).toContainText("can’t be shown here");
    await expect(page.locator("tillgate-pay iframe")).toBeHidden();
    await dialog.getByRole("link", { name: "Open the payment page" }).click();
    await payment.expectStatus("PENDING");
  } finally {
    await site.close();
  }
});

test("an embedded frame opens the payment page and reports the payment even if storage and pop-ups are blocked @one-width", async ({
  shop,
  page,
  context,
}) => {
  await context.addInitScript(() => {
    const refuse = () => {
      throw new DOMException("Storage is blocked.", "SecurityError");
    };
    Object.assign(window, { open: () => null });
    if (self === top) return;
    for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches", "cookieStore"])
      Object.defineProperty(window, name, { get: refuse });
    Object.defineProperty(document, "cookie", { get: refuse, set: refuse });
  });
  const faults: Error[] = [];
  page.on("pageerror", (fault) => faults.push(fault));
  await shop.placeOrder();
  await page.evaluate(() => {
    const paying = document.querySelector("tillgate-pay");
    const inline = document.createElement("tillgate-pay");
    inline.id = "inline";
    inline.setAttribute("display", "inline");
    inline.setAttribute("payment-url", paying?.getAttribute("payment-url") ?? "");
    paying?.replaceWith(inline);
  });
  const frame = page.frameLocator("#inline iframe");
  await expect(frame.getByTestId("pay-status")).toHaveAttribute("data-status", "PENDING");
  // The page is opened by a link, not by a script, so it is not a pop-up.
  const opened = context.waitForEvent("page");
  await frame.getByTestId("pay-at-top").click();
  const atTop = new PaymentPage(await opened);
  await atTop.approve.click();
  await atTop.expectStatus("PAID");
  await shop.expectReceived("processing");
  expect(faults).toEqual([]);
});

test.describe("<tillgate-pay>", () => {
  const element = (page: Page) => page.locator("tillgate-pay");
  const dialogOf = (page: Page) => page.locator("tillgate-pay dialog");
  const frameOf = (page: Page) => page.frameLocator("tillgate-pay iframe");
  const set = (page: Page, attributes: Record<string, string | null>) =>
    element(page).evaluate((paying, wanted) => {
      for (const [name, value] of Object.entries(wanted))
        if (value === null) paying.removeAttribute(name);
        else paying.setAttribute(name, value);
    }, attributes);
  /** Shows an order that the shop itself does not follow, in the page's element. @returns the order */
  const openElement = async ({ page, shop, tillgate }: { page: Page; shop: Shop; tillgate: Tillgate }) => {
    await shop.placeOrder();
    const order = await tillgate.placeOrder("5.00");
    await page.waitForFunction(() => customElements.get("tillgate-pay") !== undefined);
    await set(page, { "payment-url": order.address });
    return order;
  };

  test("reacts to attribute changes @one-width", async ({ page, shop, tillgate }) => {
    await openElement({ page, shop, tillgate });
    const amount = frameOf(page).getByTestId("pay-amount");
    await set(page, { open: "" });
    await expect(amount).toHaveAttribute("data-amount", "5.00 EUR");
    await frameOf(page).getByTestId("pay-approve").click();
    await expect
      .poll(() => element(page).evaluate((paying) => "state" in paying && paying.state))
      .toBe("PAID");

    const other = await tillgate.placeOrder("7.00");
    await set(page, { "payment-url": other.address });
    await expect(amount).toHaveAttribute("data-amount", "7.00 EUR");
    await expect
      .poll(() => element(page).evaluate((paying) => "state" in paying && paying.state))
      .toBe("PENDING");
    await expect(dialogOf(page).locator(".head a")).toHaveAttribute("href", other.address);

    await set(page, { lang: "de" });
    await expect(frameOf(page).getByTestId("pay-at-top")).toHaveText("Mit Tillgate bezahlen");
    await expect(dialogOf(page)).toHaveAttribute("aria-label", "Zahlung");
    await set(page, { open: null });
    await expect(dialogOf(page)).toBeHidden();
    await set(page, { open: "" });
    await page.keyboard.press("Escape");
    await expect(dialogOf(page)).toBeHidden();
    await expect(element(page)).not.toHaveAttribute("open");
    await set(page, { display: "inline" });
    await expect(dialogOf(page)).toHaveCount(0);
    await expect(amount).toHaveAttribute("data-amount", "7.00 EUR");
    await set(page, { "payment-url": "" });
    await expect(page.locator("tillgate-pay iframe")).toHaveCount(0);
  });

  test("uses the order's language, unless its lang attribute sets another @one-width", async ({
    page,
    shop,
    tillgate,
  }) => {
    await openElement({ page, shop, tillgate });
    const french = await tillgate.placeOrder("5.00", { locale: "fr" });
    await set(page, { "payment-url": french.address, open: "" });
    await expect(frameOf(page).getByTestId("pay-at-top")).toHaveText("Payer avec Tillgate");
    await expect(dialogOf(page)).toHaveAttribute("aria-label", "Paiement");
    await expect(dialogOf(page).getByRole("button", { name: "Fermer" })).toBeVisible();
    await expect(dialogOf(page).getByRole("link", { name: "Ouvrir la page de paiement" })).toBeVisible();
    await set(page, { lang: "ar" });
    await expect(dialogOf(page)).toHaveAttribute("dir", "rtl");
  });

  test("shows a return link once the order is paid, and the link closes the dialog or opens the return URL @one-width", async ({
    page,
    shop,
    tillgate,
    sandbox,
  }) => {
    await openElement({ page, shop, tillgate });
    await set(page, { "return-url": null, open: "" });
    const back = dialogOf(page).getByText("Back to the shop");
    await expect(frameOf(page).getByTestId("pay-approve")).toBeVisible();
    await expect(back).toBeHidden();
    await frameOf(page).getByTestId("pay-approve").click();
    await expect(back).toBeVisible();
    await expectAccessible(page, "dialog of a paid order");
    await back.click();
    await expect(dialogOf(page)).toBeHidden();

    await set(page, { "return-url": "/cart", open: "" });
    await back.click();
    await expect(page).toHaveURL(`${sandbox.store}/cart`);
  });

  test("keeps its header visible and the page behind it unscrolled @one-width", async ({
    page,
    shop,
    tillgate,
  }) => {
    await page.setViewportSize({ width: 390, height: 480 });
    await openElement({ page, shop, tillgate });
    await page.evaluate(() => scrollTo(0, 40));
    const before = await page.evaluate(() => scrollY);
    await set(page, { open: "" });
    await expect(frameOf(page).getByTestId("pay-approve")).toBeVisible();
    await page.mouse.move(195, 240);
    for (let turn = 0; turn < 20; turn += 1) await page.mouse.wheel(0, 400);
    await expect
      .poll(() =>
        dialogOf(page).evaluate(
          (dialog) => dialog.scrollTop + dialog.clientHeight >= dialog.scrollHeight - 1,
        ),
      )
      .toBe(true);
    await expect(dialogOf(page).getByRole("button", { name: "Close" })).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => scrollY)).toBe(before);
    await page.mouse.move(195, 4);
    await page.mouse.wheel(0, 400);
    await page.keyboard.press("Escape");
    await expect(dialogOf(page)).toBeHidden();
    expect(await page.evaluate(() => scrollY)).toBe(before);
    await page.mouse.move(195, 240);
    await page.mouse.wheel(0, 4000);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(before);
  });

  test("falls back to the link for an unknown order @one-width", async ({
    page,
    shop,
    tillgate,
    sandbox,
  }) => {
    await openElement({ page, shop, tillgate });
    await set(page, { "payment-url": `${sandbox.pay}/pay/unknown`, open: "" });
    await expect(dialogOf(page)).toContainText("can’t be shown here");
    await expect(page.locator("tillgate-pay iframe")).toBeHidden();
    await set(page, { open: null, display: "inline" });
    await expect(page.locator("tillgate-pay iframe")).toBeHidden();
    await expect(page.getByTestId("pay-in-shop")).toBeVisible();
  });

  test("falls back to the link when the shop's policy forbids frames @one-width", async ({
    page,
    sandbox,
    tillgate,
    payment,
  }) => {
    const order = await tillgate.placeOrder();
    const site = await openForeignSite(
      `<script src="${sandbox.pay}/tillgate.js"></script>
       <tillgate-pay payment-url="${order.address}" open><a href="${order.address}">Pay</a></tillgate-pay>`,
      { "Content-Security-Policy": `default-src 'none'; script-src ${sandbox.pay}` },
    );
    try {
      await page.goto(site.origin);
      await expect(dialogOf(page)).toContainText("can’t be shown here");
      await dialogOf(page).getByRole("link", { name: "Open the payment page" }).click();
      await payment.expectStatus("PENDING");
    } finally {
      await site.close();
    }
  });
});
