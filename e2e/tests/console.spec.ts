import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { TOTP } from "otpauth";
import { expectPageQuality, expectPageQualityInLight } from "../fixtures/axe.js";
import { expect, test } from "../fixtures/test.js";
import { Console } from "../pages/console.js";

/** Returns the current code of an authenticator app. */
const codeNow = (secret: string): string => new TOTP({ secret }).generate();

test("an owner sets up a second factor, creates an API key and refunds part of an order, but cannot open administrator pages @one-width", async ({
  page,
  payment,
  readyToPay,
  sandbox,
  books,
}) => {
  test.slow();
  // A separate user: setting up the first second factor ends the user's other sessions, which other tests use.
  const owner = { email: "second.factor@example.com", password: sandbox.merchant_user.password };
  await books.addConsoleUser(owner.email, sandbox.merchant_user);
  const { order, paidOnce } = await readyToPay();
  await payment.confirm.click();
  await paidOnce();

  const home = await new Console(page, sandbox).signInAtHome(owner);
  await expect(page).toHaveTitle(/^SANDBOX · /);

  for (const part of [
    "",
    "/approvals",
    "/merchants",
    "/shoppers/live",
    "/rates/live",
    "/currencies",
    "/audit",
  ]) {
    const refused = await page.goto(`${sandbox.dashboard}/admin${part}`);
    expect(refused?.status(), part).toBe(403);
  }

  await page.goto(`${sandbox.dashboard}/account/authenticator`);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByTestId("start-factor").click();
  const secret = (await page.locator("#totp-secret").textContent()) ?? "";
  await page.getByLabel("6-digit code").fill(codeNow(secret));
  await page.getByTestId("confirm-factor").click();
  await expect(page.getByTestId("recovery-codes")).toBeVisible();
  await expectPageQuality(page, "account with recovery codes");

  await page.goto(`${home}/developers`);
  await page.getByTestId("make-credential").click();
  await page.locator('form[data-action="make"] button').click();
  await expect(page.getByTestId("secret")).toContainText("tgs_test_");
  await page.reload();
  await expect(page.getByTestId("secret")).toHaveCount(0);

  // The key `/` focuses the search, which opens the page of an entered ID.
  await page.keyboard.press("/");
  await page.keyboard.type(order.id);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${home}/orders/${order.id}`);
  await page.getByTestId("refund").click();
  await page.getByLabel("Amount in EUR").fill("nothing");
  await page.getByTestId("refund-now").click();
  await expect(page.getByTestId("form-errors")).toBeFocused();
  await expect(page.getByLabel("Amount in EUR")).toHaveValue("nothing");
  await page.getByLabel("Amount in EUR").fill("2,00");
  await page.getByTestId("refund-now").click();
  await expect(page.getByTestId("question")).toBeFocused();
  await expect(page.getByTestId("question")).toContainText("Refund EUR 2.00?");
  await expectPageQuality(page, "confirmation of a refund");
  await page.getByTestId("confirm").click();
  await expect(page.getByTestId("notice")).toHaveText("Refund completed.");
  await expect(page.getByTestId("timeline")).toContainText("Refund completed");

  await page.getByTestId("sign-out").click();
  await expect(page.getByTestId("notice")).toHaveText("You’re signed out.");
});

test("an administrator sees system health and verifies the audit log, but cannot create a merchant without a second factor @one-width", async ({
  page,
  sandbox,
}) => {
  test.slow();
  await new Console(page, sandbox).signIn(sandbox.administrator);
  await page.getByTestId("administration").click();
  await expect(page.getByTestId("health")).toBeVisible();
  await page.goto(`${sandbox.dashboard}/admin/audit`);
  await page.getByTestId("check-audit").click();
  await expect(page.getByTestId("audit-check")).toContainText("Verified");
  const overflow = await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    return document.documentElement.scrollWidth - document.documentElement.clientWidth;
  });
  expect(overflow, "horizontal overflow with the details of every record open").toBe(0);
  await page.goto(`${sandbox.dashboard}/admin/merchants`);
  await page.getByTestId("make-merchant").click();
  await page.getByLabel("Name", { exact: true }).fill("A merchant that is not made");
  await page.getByLabel("First owner’s e-mail").fill("owner@not-made.example");
  await page.locator('form[data-action="make"] button').click();
  await expect(page.getByTestId("form-errors")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("A merchant that is not made");
});

/** Waits for a mail to an address. @returns the link in the latest mail */
async function mailedLink(folder: string, to: string, link: RegExp): Promise<string> {
  let found: string | undefined;
  await expect
    .poll(async () => {
      for (const file of (await readdir(folder)).sort()) {
        const mail = await readFile(path.join(folder, file), "utf8");
        if (mail.includes(to)) found = link.exec(mail)?.[0] ?? found;
      }
      return found;
    })
    .toBeDefined();
  return found ?? "";
}

test("an e-mailed link resets the password once, and the user can sign in with the new password @one-width", async ({
  page,
  sandbox,
  books,
}) => {
  const user = { email: "forgetful@example.com", password: "a password that is remembered" };
  await books.addConsoleUser(user.email, sandbox.merchant_user);
  await page.goto(`${sandbox.dashboard}/forgot-password`);
  await page.getByLabel("E-mail").fill(user.email);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByTestId("notice")).toBeVisible();
  const link = await mailedLink(sandbox.mail_folder, user.email, /http\S+\/reset-password\?token=\S+/);
  const set = async () => {
    await page.goto(link);
    await page.getByLabel("New password").fill(user.password);
    await page.locator('form[data-action="set"] button').click();
  };
  await set();
  await expect(page).toHaveURL(/\/sign-in$/);
  await page.goto(link);
  await expect(page.getByTestId("problem-link_over")).toBeVisible();
  await expectPageQualityInLight(page, "used reset link");
  await page.getByRole("link", { name: "Send link" }).click();
  await expect(page).toHaveURL(/\/forgot-password$/);
  await new Console(page, sandbox).signInAtHome(user);
});

test.describe("the console without scripts:", () => {
  test.use({ javaScriptEnabled: false });

  test("a password reset can be requested, and a failed sign-in keeps the e-mail address @one-width", async ({
    page,
    sandbox,
  }) => {
    await page.goto(`${sandbox.dashboard}/account`);
    await page.waitForURL(/\/sign-in\?next=%2Faccount$/);
    await page.getByLabel("E-mail").fill("nobody@example.com");
    await page.getByLabel("Password").fill("not the password");
    await page.getByTestId("sign-in").click();
    await expect(page.getByTestId("form-errors")).toContainText("Incorrect e-mail or password.");
    await expect(page.getByLabel("E-mail")).toHaveValue("nobody@example.com");
    await page.getByRole("button", { name: "Français" }).click();
    await page.getByRole("link", { name: "Mot de passe oublié ?" }).click();
    await page.getByLabel("E-mail").fill("nobody@example.com");
    await page.getByRole("button", { name: "Envoyer le lien" }).click();
    await expect(page.getByTestId("notice")).toContainText("Si un compte marchand existe");
  });
});
