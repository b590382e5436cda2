import { expect, type Page } from "@playwright/test";
import { PaymentPage } from "../pages/payment-page.js";
import type { CheckoutKind } from "./shop.js";

const address = {
  first_name: "Ada",
  last_name: "Mertens",
  address_1: "Teststr. 1",
  postcode: "10115",
  city: "Berlin",
  phone: "0301234567",
};

const leadsToOrder = (address: string): boolean => /order-(pay|received)/.test(address);

export class Shopper {
  readonly page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
  }

  async fillCart(productId: number): Promise<void> {
    await this.page.goto(`${this.#url}/?add-to-cart=${productId}`);
  }

  async cartIsKept(): Promise<void> {
    expect((await this.#cart()).items_count).toBeGreaterThan(0);
  }

  async cartIsEmpty(): Promise<void> {
    expect((await this.#cart()).items_count).toBe(0);
  }

  /** Returns the payment methods offered for the cart. */
  async offeredMethods(): Promise<string[]> {
    return (await this.#cart()).payment_methods;
  }

  async #cart(): Promise<{ items_count: number; payment_methods: string[] }> {
    return (await this.page.request.get(`${this.#url}/wp-json/wc/store/v1/cart`)).json();
  }

  /** Fills in the checkout and places the order. */
  async placeOrder(kind: CheckoutKind, method = "tillgate"): Promise<void> {
    await this.page.goto(`${this.#url}/checkout/`);
    if (kind === "classic") await this.#fillClassic(method);
    else await this.#fillBlock(method);
  }

  /** Orders a product, and waits for its QR code. @returns the order ID and the payment URL */
  async order(productId: number, kind: CheckoutKind): Promise<{ orderId: number; paymentUrl: string }> {
    await this.fillCart(productId);
    await this.placeOrder(kind);
    return this.waitForQrCode();
  }

  /** Closes the shop's page; the payment continues without it. */
  async closePage(): Promise<void> {
    await this.page.goto("about:blank");
  }

  /** Pays an existing order through the link in its e-mail. */
  async payByLink(payAddress: string, method = "tillgate"): Promise<void> {
    await this.page.goto(payAddress);
    await this.page.locator(`label[for=payment_method_${method}]`).click();
    await this.page.locator("#place_order").click();
  }

  /** Places an order in a shop that redirects to Tillgate's payment page. */
  async placeOrderOnPaymentPage(kind: CheckoutKind, pay: string): Promise<PaymentPage> {
    await this.page.goto(`${this.#url}/checkout/`);
    if (kind === "classic") await this.#fillClassic("tillgate");
    else await this.#fillBlock("tillgate", (address) => address.startsWith(`${pay}/pay/`));
    await this.page.waitForURL(`${pay}/pay/**`, { timeout: 30_000 });
    return new PaymentPage(this.page);
  }

  /** Submits a checkout that must be rejected. */
  async expectCheckoutRejected(kind: CheckoutKind, why: RegExp): Promise<void> {
    await this.page.goto(`${this.#url}/checkout/`);
    if (kind === "classic") await this.#fillClassic("tillgate");
    else {
      await this.#fillBlockFields("tillgate");
      const button = this.page.locator(".wc-block-components-checkout-place-order-button");
      await expect(async () => {
        await button.click({ timeout: 2_000 });
        await expect(this.page.getByText(why).first()).toBeVisible({ timeout: 12_000 });
      }).toPass({ timeout: 50_000 });
      return;
    }
    await expect(this.page.getByText(why).first()).toBeVisible();
  }

  async #fillClassic(method: string): Promise<void> {
    for (const [name, value] of Object.entries(address)) {
      await this.page.locator(`#billing_${name}`).fill(value);
    }
    await this.page.locator("#billing_email").fill("ada@example.com");
    await expect(this.page.locator(".blockUI")).toHaveCount(0);
    await this.page.locator(`label[for=payment_method_${method}]`).click();
    await expect(this.page.locator(".blockUI")).toHaveCount(0);
    await this.page.locator("#place_order").click();
  }

  async #fillBlock(method: string, isThere = leadsToOrder): Promise<void> {
    await this.#fillBlockFields(method);
    const button = this.page.locator(".wc-block-components-checkout-place-order-button");
    // A click while the block saves the address is lost, so click again.
    await expect(async () => {
      if (isThere(this.page.url())) return;
      await button.click({ timeout: 2_000 });
      await this.page.waitForURL((address) => isThere(address.href), { timeout: 8_000 });
    }).toPass({ timeout: 40_000 });
  }

  async #fillBlockFields(method: string): Promise<void> {
    await this.page.locator("#email").fill("ada@example.com");
    // Without shipping there is only a billing address.
    const first = this.page.locator("#shipping-first_name, #billing-first_name").first();
    const kind = (await first.getAttribute("id"))?.replace("-first_name", "");
    for (const [name, value] of Object.entries(address)) {
      await this.page.locator(`#${kind}-${name}`).fill(value);
    }
    await this.page.locator(`label[for=radio-control-wc-payment-method-options-${method}]`).click();
  }

  /** Waits for the QR code in the shop. @returns the order ID and the payment URL */
  async waitForQrCode(): Promise<{ orderId: number; paymentUrl: string }> {
    const receipt = this.page.locator("[data-tillgate-receipt]");
    await expect(receipt.locator("svg")).toBeVisible({ timeout: 30_000 });
    const orderId = Number(/order-pay\/(\d+)/.exec(this.page.url())?.[1]);
    expect(orderId).toBeGreaterThan(0);
    const paymentUrl = await receipt.getByRole("link", { name: "Pay on this device" }).getAttribute("href");
    return { orderId, paymentUrl: paymentUrl ?? "" };
  }

  async waitForOrderReceived(): Promise<void> {
    await this.page.waitForURL(/order-received/, { timeout: 30_000 });
  }
}
