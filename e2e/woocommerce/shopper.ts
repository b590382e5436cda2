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

/** Somebody who buys. */
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

  /** The methods by which the cart can be paid. */
  async offeredMethods(): Promise<string[]> {
    return (await this.#cart()).payment_methods;
  }

  async #cart(): Promise<{ items_count: number; payment_methods: string[] }> {
    return (await this.page.request.get(`${this.#url}/wp-json/wc/store/v1/cart`)).json();
  }

  /** Fills the checkout in and places the order. */
  async placeOrder(kind: CheckoutKind, method = "tillgate"): Promise<void> {
    await this.page.goto(`${this.#url}/checkout/`);
    if (kind === "classic") await this.#fillClassic(method);
    else await this.#fillBlock(method);
  }

  /** Orders a product. @returns the order and where it is paid; its QR code is on the screen */
  async order(productId: number, kind: CheckoutKind): Promise<{ orderId: number; paymentUrl: string }> {
    await this.fillCart(productId);
    await this.placeOrder(kind);
    return this.seesQr();
  }

  /** Closes the shop's page: the payment goes on without it. */
  async leaves(): Promise<void> {
    await this.page.goto("about:blank");
  }

  /** Pays an order that is there already, from the link in its mail. */
  async payLater(payAddress: string, method = "tillgate"): Promise<void> {
    await this.page.goto(payAddress);
    await this.page.locator(`label[for=payment_method_${method}]`).click();
    await this.page.locator("#place_order").click();
  }

  /** Places the order where the shop leads to Tillgate's page at once. */
  async placeOrderOnPaymentPage(kind: CheckoutKind, pay: string): Promise<PaymentPage> {
    await this.page.goto(`${this.#url}/checkout/`);
    if (kind === "classic") await this.#fillClassic("tillgate");
    else await this.#fillBlock("tillgate", (address) => address.startsWith(`${pay}/pay/`));
    await this.page.waitForURL(`${pay}/pay/**`, { timeout: 30_000 });
    return new PaymentPage(this.page);
  }

  /** Fills the checkout in and presses the button, for an order that is refused. */
  async placeOrderInVain(kind: CheckoutKind, why: RegExp): Promise<void> {
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
    // A press while the block still sends the address is lost: a shopper presses again.
    await expect(async () => {
      if (isThere(this.page.url())) return;
      await button.click({ timeout: 2_000 });
      await this.page.waitForURL((address) => isThere(address.href), { timeout: 8_000 });
    }).toPass({ timeout: 40_000 });
  }

  async #fillBlockFields(method: string): Promise<void> {
    await this.page.locator("#email").fill("ada@example.com");
    // Where nothing is shipped, only the address of the bill is asked for.
    const first = this.page.locator("#shipping-first_name, #billing-first_name").first();
    const kind = (await first.getAttribute("id"))?.replace("-first_name", "");
    for (const [name, value] of Object.entries(address)) {
      await this.page.locator(`#${kind}-${name}`).fill(value);
    }
    await this.page.locator(`label[for=radio-control-wc-payment-method-options-${method}]`).click();
  }

  /** Waits for the QR code in the shop. @returns the order and where it is paid */
  async seesQr(): Promise<{ orderId: number; paymentUrl: string }> {
    const receipt = this.page.locator("[data-tillgate-receipt]");
    await expect(receipt.locator("svg")).toBeVisible({ timeout: 30_000 });
    const orderId = Number(/order-pay\/(\d+)/.exec(this.page.url())?.[1]);
    expect(orderId).toBeGreaterThan(0);
    const paymentUrl = await receipt.getByRole("link", { name: "Pay on this device" }).getAttribute("href");
    return { orderId, paymentUrl: paymentUrl ?? "" };
  }

  async seesOrderReceived(): Promise<void> {
    await this.page.waitForURL(/order-received/, { timeout: 30_000 });
  }
}
