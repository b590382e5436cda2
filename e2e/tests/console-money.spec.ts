import type { Page } from "@playwright/test";
import type { Sandbox } from "@tillgate/stack";
import { TOTP } from "otpauth";
import { expectGood } from "../fixtures/axe.js";
import type { Books } from "../fixtures/books.js";
import { shopperNamed } from "../fixtures/sandbox.js";
import { expect, test } from "../fixtures/test.js";

/** Signs a user of the test's own in, who is otherwise like another, and sets up a second factor. */
async function signInLike(
  { page, books, sandbox }: { page: Page; books: Books; sandbox: Sandbox },
  email: string,
  like: { email: string; password: string },
): Promise<void> {
  await books.addConsoleUser(email, like);
  await page.goto(`${sandbox.dashboard}/account/authenticator`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(like.password);
  await page.getByTestId("sign-in").click();
  await page.getByLabel("Password").fill(like.password);
  await page.getByTestId("start-factor").click();
  const secret = (await page.locator("#totp-secret").textContent()) ?? "";
  await page.getByLabel("The six digits").fill(new TOTP({ secret }).generate());
  await page.getByTestId("confirm-factor").click();
  await page.getByTestId("recovery-codes").waitFor();
}

test("a file of payouts is corrected, priced, paid, and run again for what failed @one-width", async ({
  page,
  books,
  sandbox,
}) => {
  test.slow();
  await signInLike({ page, books, sandbox }, "payouts.owner@example.com", sandbox.merchant_user);
  await page.goto(sandbox.dashboard);
  await page.waitForURL(/\/m\/[^/]+\/sandbox$/);
  const home = page.url();
  await page.goto(`${home}/payouts`);
  await page.getByTestId("batches").click();
  await expectGood(page, "no files of payouts");
  await page.getByTestId("new-batch").click();
  await expectGood(page, "a new file of payouts");
  const { email } = shopperNamed(sandbox, "Amélie");
  const header = "id,recipient,amount,currency";
  const lines = page.locator("textarea[name=lines]");
  await lines.fill(`${header}\nE2E-1,${email},0.10,EUR\nE2E-1,${email},x,EUR`);
  await page.getByTestId("upload").click();
  await expect(page.getByTestId("form-errors")).toContainText("Line 3: its id stands in line 2 already.");
  await expectGood(page, "a file of payouts with faults");
  await lines.fill(`${header}\nE2E-1,${email},0.10,EUR\nE2E-2,nobody@example.com,0.20,EUR`);
  await page.getByTestId("upload").click();
  await page.getByTestId("pay-batch").waitFor();
  await expectGood(page, "a file of payouts with its price");
  page.on("dialog", (dialog) => void dialog.accept());
  await page.getByTestId("pay-batch").click();
  const again = page.getByTestId("again");
  await again.waitFor();
  await expect(page.locator('[data-row="2"]')).toContainText("Completed");
  await expectGood(page, "a file of payouts that was paid");
  await again.click();
  await again.waitFor();
  await expect(page.locator('[data-row="3"]')).toContainText("There is no such recipient.");
  expect(await books.violations()).toEqual([]);
});
