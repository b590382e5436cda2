import { expect, type Page } from "@playwright/test";
import type { Sandbox } from "@tillgate/stack";
import { TOTP } from "otpauth";

export type ConsoleUser = { email: string; password: string };

export class Console {
  readonly address: string;

  constructor(
    readonly page: Page,
    private readonly sandbox: Sandbox,
  ) {
    this.address = sandbox.dashboard;
  }

  async signIn({ email, password }: ConsoleUser = this.sandbox.merchant_user): Promise<void> {
    await this.page.goto(this.address);
    await this.page.getByLabel("E-mail").fill(email);
    await this.page.getByLabel("Password").fill(password);
    await this.page.getByTestId("sign-in").click();
    await expect(this.page.getByTestId("account-link")).toBeVisible();
  }

  /** Signs in a user who has no second factor, and sets one up. */
  async signInWithFactor({ email, password }: ConsoleUser): Promise<void> {
    const { page } = this;
    await page.goto(`${this.address}/account/authenticator`);
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByTestId("sign-in").click();
    await this.setUpFactor(password);
  }

  /** Sets up a second factor, which then counts as recently verified. */
  async setUpFactor(password: string): Promise<void> {
    const { page } = this;
    await page.goto(`${this.address}/account/authenticator`);
    await this.confirmFactor(password);
  }

  /** Sets up a second factor on the current page. */
  async confirmFactor(password: string): Promise<void> {
    const { page } = this;
    await page.getByLabel("Password").fill(password);
    await page.getByTestId("start-factor").click();
    const secret = (await page.locator("#totp-secret").textContent()) ?? "";
    await page.getByLabel("6-digit code").fill(new TOTP({ secret }).generate());
    await page.getByTestId("confirm-factor").click();
    await page.getByTestId("recovery-codes").waitFor();
  }

  /** Signs in a merchant's user. @returns the address of the merchant's home */
  async signInAtHome(user?: ConsoleUser): Promise<string> {
    await this.signIn(user);
    await this.page.waitForURL(/\/m\/[^/]+\/sandbox$/);
    return this.page.url();
  }
}
