import { expect, type Page } from "@playwright/test";
import type { Sandbox } from "@tillgate/stack";

export type ConsoleUser = { email: string; password: string };

/** The console of merchants and administrators, in one browser. */
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

  /** @returns the address of the merchant's home. */
  async signInAtHome(user?: ConsoleUser): Promise<string> {
    await this.signIn(user);
    await this.page.waitForURL(/\/m\/[^/]+\/sandbox$/);
    return this.page.url();
  }
}
