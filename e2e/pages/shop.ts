import { expect, type Page } from "@playwright/test";
import type { StoreOrders } from "../fixtures/store-orders.js";
import { PaymentPage } from "./payment-page.js";

export type ShopOrder = {
  id: number;
  key: string;
};

const statusNames = {
  pending: "Pending payment",
  processing: "Processing",
  completed: "Completed",
  cancelled: "Cancelled",
  failed: "Failed",
  refunded: "Refunded",
} as const;
export type ShopStatus = keyof typeof statusNames;

export type Choice = {
  product?: string;
  quantity?: number;
};

export class Shop {
  readonly page: Page;
  readonly address: string;
  readonly #orders: StoreOrders;

  constructor(page: Page, address: string, orders: StoreOrders) {
    this.page = page;
    this.address = address;
    this.#orders = orders;
  }

  /** Goes from the storefront through the cart and the checkout to the page with the QR code. */
  async checkOut({ product = "morning-mug", quantity = 1 }: Choice = {}): Promise<ShopOrder> {
    const { page } = this;
    await page.goto(quantity === 1 ? this.address : `${this.address}/product/${product}`);
    if (quantity !== 1) await page.getByTestId("quantity").fill(String(quantity));
    await page.getByTestId(`add-to-cart-${product}`).click();
    await expect(page.getByTestId(`cart-line-${product}`)).toBeVisible();
    await page.getByTestId("to-checkout").click();
    await this.fillIn();
    await page.getByTestId("place-order").click();
    return this.orderOnPayPage();
  }

  /** Places an order like {@link checkOut}, but fills the cart by a direct form submission, which takes half the time. */
  async placeOrder({ product = "morning-mug", quantity = 1 }: Choice = {}): Promise<ShopOrder> {
    const { page } = this;
    const html = await (await page.request.get(`${this.address}/product/${product}`)).text();
    const form = Object.fromEntries(
      ["form_token", "product_id"].map((name) => [
        name,
        new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? "",
      ]),
    );
    const filled = await page.request.post(`${this.address}/cart/add`, {
      headers: { Origin: new URL(this.address).origin },
      form: { ...form, quantity: String(quantity) },
    });
    expect(await filled.text()).toContain(`cart-line-${product}`);
    await page.goto(`${this.address}/checkout`);
    await this.fillIn();
    await page.getByTestId("place-order").click();
    return this.orderOnPayPage();
  }

  async fillIn(): Promise<void> {
    await this.page.getByTestId("field-email").fill("shopper@example.com");
    await this.page.getByTestId("field-first_name").fill("Noor");
    await this.page.getByTestId("field-last_name").fill("Shopper");
  }

  async orderOnPayPage(): Promise<ShopOrder> {
    await expect(this.page.getByTestId("order-pay")).toBeVisible();
    const url = new URL(this.page.url());
    const id = Number(url.pathname.match(/\/order-pay\/(\d+)/)?.[1]);
    const key = url.searchParams.get("key");
    if (!Number.isInteger(id) || key === null) throw new Error(`${url} has no order ID or no order key.`);
    return { id, key };
  }

  /** Follows "Pay on this device". */
  async payNow(): Promise<PaymentPage> {
    await this.page.getByTestId("pay-now").click();
    const payment = new PaymentPage(this.page);
    await payment.expectStatus("PENDING");
    return payment;
  }

  async expectReceived(status: ShopStatus): Promise<void> {
    await expect(this.page.getByTestId("order-received")).toBeVisible();
    await expect(this.page.getByTestId("order-status")).toHaveText(statusNames[status]);
  }

  /** Waits until the order has this status in the shop's API and on its page. */
  async expectOrderStatus(order: ShopOrder, status: ShopStatus) {
    const known = await this.#orders.waitFor(order.id, status);
    await this.page.goto(`${this.address}/checkout/order-received/${order.id}?key=${order.key}`);
    await this.expectReceived(status);
    return known;
  }
}
