import { createHmac } from "node:crypto";
import type { Page } from "@playwright/test";
import type { Sandbox } from "@tillgate/stack";
import { expectGood } from "../fixtures/axe.js";
import { expect, test } from "../fixtures/test.js";

const STEP_SECONDS = 30;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The six digits that an authenticator app shows now (RFC 6238). */
function codeNow(secret: string): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const bytes = bits.match(/.{8}/g) ?? [];
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000 / STEP_SECONDS)));
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  const digest = createHmac("sha1", key).update(step).digest();
  const start = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(start) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

async function signIn(page: Page, { dashboard, merchant_user }: Sandbox): Promise<string> {
  await page.goto(dashboard);
  await page.getByLabel("E-mail").fill(merchant_user.email);
  await page.getByLabel("Password").fill(merchant_user.password);
  await page.getByTestId("sign-in").click();
  await page.waitForURL(/\/m\/[^/]+\/sandbox$/);
  return page.url();
}

test("an owner sets up a second factor, makes a key, and refunds a paid order @one-width", async ({
  page,
  payment,
  readyToPay,
  sandbox,
}) => {
  test.slow();
  const { order, paidOnce } = await readyToPay();
  await payment.confirm.click();
  await paidOnce();

  const home = await signIn(page, sandbox);
  await expect(page).toHaveTitle(/^SANDBOX · /);
  await expectGood(page, "home");

  await page.goto(`${sandbox.dashboard}/account/authenticator`);
  await page.getByLabel("Password").fill(sandbox.merchant_user.password);
  await page.getByTestId("start-factor").click();
  const secret = (await page.locator("#totp-secret").textContent()) ?? "";
  await page.getByLabel("The six digits").fill(codeNow(secret));
  await page.getByTestId("confirm-factor").click();
  await expect(page.getByTestId("recovery-codes")).toBeVisible();
  await expectGood(page, "account with recovery codes");

  await page.goto(`${home}/developers`);
  await page.getByTestId("make-credential").click();
  await page.locator('form[data-action="make"] button').click();
  await expect(page.getByTestId("secret")).toContainText("tgs_test_");
  await page.reload();
  await expect(page.getByTestId("secret")).toHaveCount(0);

  // An id that is pasted into the search leads to its page; the key `/` leads into the search.
  await page.keyboard.press("/");
  await page.keyboard.type(order.id);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${home}/orders/${order.id}`);
  await expectGood(page, "order");
  await page.getByTestId("refund").click();
  await page.getByLabel("Amount in EUR").fill("nothing");
  page.on("dialog", (dialog) => void dialog.accept());
  await page.getByTestId("refund-now").click();
  await expect(page.getByTestId("form-errors")).toBeFocused();
  await expect(page.getByLabel("Amount in EUR")).toHaveValue("nothing");
  await page.getByLabel("Amount in EUR").fill("2,00");
  await page.getByTestId("refund-now").click();
  await expect(page.getByTestId("notice")).toHaveText("Refunded.");
  await expect(page.getByTestId("timeline")).toContainText("Refund completed");

  for (const list of ["orders", "refunds", "payouts", "wallets", "webhooks", "members"]) {
    await page.goto(`${home}/${list}`);
    await expectGood(page, list);
  }
  await page.getByTestId("sign-out").click();
  await expect(page.getByTestId("notice")).toHaveText("You are signed out.");
});

test.describe("without scripts @one-width", () => {
  test.use({ javaScriptEnabled: false });

  test("somebody asks for a password, and a wrong sign-in keeps the address", async ({ page, sandbox }) => {
    await page.goto(`${sandbox.dashboard}/account`);
    await page.waitForURL(/\/sign-in\?next=%2Faccount$/);
    await page.getByLabel("E-mail").fill("nobody@example.com");
    await page.getByLabel("Password").fill("not the password");
    await page.getByTestId("sign-in").click();
    await expect(page.getByTestId("form-errors")).toContainText("E-mail or password is not right.");
    await expect(page.getByLabel("E-mail")).toHaveValue("nobody@example.com");
    await page.getByRole("button", { name: "Français" }).click();
    await page.getByRole("link", { name: "Mot de passe oublié ?" }).click();
    await page.getByLabel("E-mail").fill("nobody@example.com");
    await page.getByRole("button", { name: "Envoyer le lien" }).click();
    await expect(page.getByTestId("notice")).toHaveText("Si l’adresse est connue, un lien est en route.");
  });
});
