import type { Page } from "@playwright/test";
import type { Sandbox } from "@tillgate/stack";
import type { ApiDatabase } from "../fixtures/api-database.js";
import { addAuthenticator } from "../fixtures/authenticator.js";
import { expectPageQuality } from "../fixtures/axe.js";
import { expect, test } from "../fixtures/test.js";

type ConsoleUser = { email: string; password: string };

/** Adds an owner used by this test only. */
async function addOwner(books: ApiDatabase, { merchant_user }: Sandbox, email: string): Promise<ConsoleUser> {
  await books.addConsoleUser(email, merchant_user);
  return { email, password: merchant_user.password };
}

/** Completes the password step of sign-in. A second factor follows if the user has one. */
async function signIn(page: Page, sandbox: Sandbox, user: ConsoleUser): Promise<void> {
  await page.goto(sandbox.dashboard);
  await page.getByLabel("E-mail").fill(user.email);
  await page.getByLabel("Password").fill(user.password);
  await page.getByTestId("sign-in").click();
}

test("an owner adds a passkey, signs in with it, creates an API key with it as the only second factor, and previews a button colour without saving it @one-width", async ({
  page,
  books,
  sandbox,
}) => {
  const owner = await addOwner(books, sandbox, "passkey.owner@example.com");
  await addAuthenticator(page);
  await signIn(page, sandbox, owner);
  await page.goto(`${sandbox.dashboard}/account`);
  await page.getByTestId("passkeys").click();
  await page.getByLabel("Name").fill("Work laptop");
  await page.getByLabel("Password").fill(owner.password);
  await page.getByTestId("start-passkey").click();
  await expectPageQuality(page, "passkey creation");
  await page.getByTestId("create-passkey").click();
  await expect(page.getByTestId("recovery-codes")).toBeVisible();
  await expect(page.getByTestId("second-factor")).toContainText("Work laptop");

  await page.getByTestId("sign-out").click();
  await signIn(page, sandbox, owner);
  await page.getByTestId("use-passkey").waitFor();
  await expectPageQuality(page, "second factor at sign-in");
  await page.getByTestId("use-passkey").click();
  await page.waitForURL(/\/m\/[^/]+\/sandbox$/);
  const home = page.url();

  await books.ageSecondFactor(owner.email);
  await page.goto(`${home}/developers`);
  await page.getByTestId("make-credential").click();
  await page.locator('form[data-action="make"] button').click();
  await expect(page.getByTestId("secret")).toContainText("tgs_test_");

  await page.goto(`${sandbox.dashboard}/account/passkeys`);
  await expect(page.locator("tbody tr")).toHaveCount(1);
  await expectPageQuality(page, "passkeys");

  // The preview updates while the owner types, and nothing is saved.
  await page.goto(`${home}/settings`);
  await page.getByLabel("Button colour").first().fill("#ffe600");
  await expect(page.getByText("This is a preview. Nothing has been saved.")).toBeVisible();
  await expect(page.getByText("too low to be visible")).toBeVisible();
  await page.reload();
  await expect(page.getByText("This is a preview. Nothing has been saved.")).toHaveCount(0);
});

test("an owner finds an API call by its request ID, sees the phone number in its body masked, and follows deliveries live @one-width", async ({
  page,
  books,
  sandbox,
}) => {
  const owner = await addOwner(books, sandbox, "requests.owner@example.com");
  const { api, merchant } = sandbox;
  const proof = Buffer.from(`${merchant.client_id}:${merchant.client_secret}`).toString("base64");
  const call = await fetch(`${api}/pay/sandbox/api/v1/orders`, {
    method: "POST",
    headers: { authorization: `Basic ${proof}`, "content-type": "application/json" },
    body: JSON.stringify({ amount: -1, currency: "EUR", metadata: { phone: "+33612345678" } }),
  });
  await signIn(page, sandbox, owner);
  await page.waitForURL(/\/m\/[^/]+\/sandbox$/);
  const requests = `${page.url()}/developers/requests?request_id=${call.headers.get("x-request-id")}`;
  await expect(async () => {
    await page.goto(requests);
    await expect(page.locator("tbody tr")).toHaveCount(1, { timeout: 500 });
  }).toPass();
  await expectPageQuality(page, "requests");
  await page.getByRole("link", { name: "POST /pay/sandbox/api/v1/orders" }).click();
  await expect(page.locator("#request-body")).toContainText("•••");
  await expect(page.locator("#request-body")).not.toContainText("33612345678");
  await expectPageQuality(page, "a request");

  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.getByTestId("all-deliveries").click();
  const follow = page.getByRole("button", { name: "Follow live" });
  await follow.click();
  await expect(follow).toHaveAttribute("aria-pressed", "true");
  await page.waitForRequest((request) => request.url() === page.url());
  await follow.click();
  await expect(follow).toHaveAttribute("aria-pressed", "false");
});
