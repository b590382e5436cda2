import { expect, type Locator, type Page } from "@playwright/test";
import type { SandboxShopper } from "@tillgate/stack";

export type PaymentStatus =
  | "PENDING"
  | "PAID"
  | "CANCELLED"
  | "EXPIRED"
  | "REFUND_PENDING"
  | "REFUNDED"
  | "NOT_FOUND"
  | "REFUSED";

export class PaymentPage {
  readonly page: Page;
  readonly status: Locator;
  readonly amount: Locator;
  readonly notice: Locator;
  readonly approve: Locator;
  readonly decline: Locator;
  readonly identifier: Locator;
  readonly pin: Locator;
  readonly confirm: Locator;
  /** PIN field of a remembered shopper. */
  readonly confirmPin: Locator;
  /** Amount debited in the wallet's currency, at the held rate. */
  readonly quotePays: Locator;
  readonly balance: Locator;
  readonly transaction: Locator;
  readonly returnLink: Locator;

  constructor(page: Page) {
    this.page = page;
    this.status = page.getByTestId("pay-status");
    this.amount = page.getByTestId("pay-amount");
    this.notice = page.getByTestId("pay-notice");
    this.approve = page.getByTestId("pay-approve");
    this.decline = page.getByTestId("pay-decline");
    this.identifier = page.getByTestId("pay-sign-in-identifier");
    this.pin = page.getByTestId("pay-sign-in-pin");
    this.confirm = page.getByTestId("pay-confirm");
    this.confirmPin = page.getByTestId("pay-pin");
    this.quotePays = page.getByTestId("pay-quote-pays");
    this.balance = page.getByTestId("pay-balance");
    this.transaction = page.getByTestId("pay-receipt-trx");
    this.returnLink = page.getByTestId("pay-return");
  }

  async open(address: string): Promise<this> {
    await this.page.goto(address);
    return this;
  }

  async expectStatus(status: PaymentStatus): Promise<void> {
    await expect(this.status).toHaveAttribute("data-status", status);
  }

  async expectNotice(notice: string): Promise<void> {
    await expect(this.notice).toHaveAttribute("data-notice", notice);
  }

  async signIn(identifier: string, pin: string): Promise<void> {
    await this.identifier.fill(identifier);
    await this.pin.fill(pin);
    await this.page.getByTestId("pay-sign-in").click();
  }

  async payFromWallet({ phone, pin }: SandboxShopper): Promise<void> {
    await this.signIn(phone, pin);
    await this.confirm.click();
    await this.expectStatus("PAID");
  }

  /** Returns the amount debited from an XAF wallet, in francs. */
  async amountInFrancs(): Promise<bigint> {
    const amount = (await this.quotePays.getAttribute("data-amount")) ?? "";
    return BigInt(amount.replace(" XAF", ""));
  }

  async chooseWallet(currency: string): Promise<void> {
    await this.page.getByTestId(`pay-wallet-${currency}`).locator("button, a").click();
  }

  /** Blocks live updates, so that the page learns the order's state only from its own requests. */
  async blockLiveUpdates(): Promise<void> {
    await this.page.route(/\/pay\/[^/]+\/(events|status)$/, (route) => route.abort());
  }

  /** Replaces the live stream with keep-alives timed by the test's clock, because without any message the page pauses its countdowns. */
  async sendKeepAlivesOnly(): Promise<void> {
    await this.page.addInitScript(() => {
      class Quiet extends EventTarget {
        close = () => {};
        first = setTimeout(() => this.dispatchEvent(new Event("alive")), 0);
        timer = setInterval(() => this.dispatchEvent(new Event("alive")), 10_000);
      }
      Object.assign(window, { EventSource: Quiet });
    });
    await this.page.route(/\/pay\/[^/]+\/status$/, () => {});
  }

  async cancel(): Promise<void> {
    await this.page.getByTestId("pay-cancel-open").click();
    await this.page.getByTestId("pay-cancel").click();
  }

  /** Stops the automatic redirect of a settled page. */
  async stopRedirect(): Promise<void> {
    await this.page.getByTestId("pay-stay").click();
  }

  /** Returns the value of this browser's wallet session cookie. @throws Error if there is none */
  async session(): Promise<string> {
    const cookies = await this.page.context().cookies(this.page.url());
    const session = cookies.find(({ name }) => name.endsWith("tillgate_pay_session"));
    if (!session) throw new Error("This browser has no wallet session cookie.");
    return session.value;
  }

  async formToken(): Promise<string> {
    return this.page.locator('form[data-once] input[name="form_token"]').first().inputValue();
  }
}
