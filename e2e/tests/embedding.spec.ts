import { expectAccessible } from "../fixtures/axe.js";
import { openForeignSite } from "../fixtures/foreign-site.js";
import { expect, test } from "../fixtures/test.js";
import { PaymentPage } from "../pages/payment-page.js";

test("a payment is made in a dialog of the shop's page, by keyboard, and without a cookie of the page @one-width", async ({
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
  // Before its script is there, the link leads to the page.
  await page.waitForFunction(() => customElements.get("tillgate-pay") !== undefined);
  await opener.focus();
  await page.keyboard.press("Enter");
  await expect(waits).toHaveAttribute("data-status", "PENDING");
  await expect(frame.getByTestId("pay-at-top")).toHaveAttribute("rel", "noopener");

  // Once around and further: the page behind is never reached.
  for (let pressed = 0; pressed < 12; pressed += 1) {
    await page.keyboard.press("Tab");
    const reached = await page.evaluate(() => document.activeElement?.localName);
    expect(["tillgate-pay", "body"]).toContain(reached);
  }
  // In the frame the key is the frame's, outside of it the browser's.
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
  // The shop leads on as soon as it hears of it, and its page is gone then.
  const told: unknown[] = [];
  await page.exposeFunction("tell", (detail: unknown) => told.push(detail));
  await page.evaluate(() =>
    addEventListener("tillgate-state", (event) => {
      if (event instanceof CustomEvent && "tell" in window && typeof window.tell === "function")
        window.tell(event.detail);
    }),
  );
  await frame.getByTestId("pay-approve").click();
  await shop.showsReceived("processing");
  expect(told).toContainEqual({ state: "PAID" });
  await storeOrders.waitFor(order.id, "processing");
  const cookies = await context.cookies();
  expect(cookies.filter(({ name }) => name.includes("tillgate_pay"))).toEqual([]);
});

test("a page that is not registered gets no frame and no word, and its link still pays @one-width", async ({
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
    await dialog.getByRole("link", { name: "Open the payment page" }).click();
    await payment.shows("PENDING");
  } finally {
    await site.close();
  }
});

test("a frame in the shop's page pays and tells where storage and pop-ups are blocked @one-width", async ({
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
  // No script opens the page, a link does: that is no pop-up.
  const opened = context.waitForEvent("page");
  await frame.getByTestId("pay-at-top").click();
  const atTop = new PaymentPage(await opened);
  await atTop.approve.click();
  await atTop.shows("PAID");
  await shop.showsReceived("processing");
  expect(faults).toEqual([]);
});
