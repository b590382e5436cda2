import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createPayClient } from "@tillgate/client";
import { expectPageQuality, expectPageQualityInLight } from "../fixtures/axe.js";
import { expect, test } from "../fixtures/test.js";
import { Console } from "../pages/console.js";

const PASSWORD = "a password of a new owner";

test("a new owner signs up from a shop's connect request, and the shop gets an error after a decline and API keys after consent @one-width", async ({
  page,
  sandbox,
}) => {
  test.slow();
  const redirects: URLSearchParams[] = [];
  const shop = createServer((request, response) => {
    if (request.url?.startsWith("/back")) redirects.push(new URL(request.url, "http://shop").searchParams);
    response.setHeader("content-type", "text/html").end("<title>Shop</title><h1>Back in the shop</h1>");
  });
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  const verifier = randomBytes(32).toString("base64url");
  const state = randomBytes(16).toString("base64url");
  const requested = new URLSearchParams({
    platform: "woocommerce",
    shop_name: "Kiln & <b>Clover</b>",
    shop_url: origin,
    return_url: `${origin}/back?page=tillgate`,
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  try {
    // The connect request survives sign-up of an owner without an account.
    const email = `connecting.owner.${randomBytes(4).toString("hex")}@example.com`;
    await page.goto(`${sandbox.api}/connect?${requested}`);
    await page.getByTestId("to-sign-up").click();
    await expectPageQuality(page, "sign-up");
    await page.getByLabel("E-mail").fill(email);
    await page.getByTestId("sign-up").click();
    await expect(page.getByTestId("notice")).toBeVisible();
    await expectPageQuality(page, "account creation");
    await page.getByLabel("Shop name").fill("Kiln & <b>Clover</b>");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByTestId("make-account").click();
    await expect(page.getByTestId("connect")).toContainText(`Kiln & <b>Clover</b> (${new URL(origin).host})`);
    await expectPageQuality(page, "connect request");
    await page.getByTestId("connect-decline").click();
    await expect(page.locator("h1")).toHaveText("Back in the shop");
    expect(redirects.at(-1)?.get("error")).toBe("access_denied");
    expect(redirects.at(-1)?.get("state")).toBe(state);

    // Credentials require a second factor: setup returns to the request.
    await page.goto(`${sandbox.api}/connect?${requested}`);
    await expect(page.getByTestId("connect-agree")).toHaveCount(0);
    await page.getByRole("link", { name: "Set up" }).click();
    await page.getByTestId("set-up-factor").click();
    await new Console(page, sandbox).confirmFactor(PASSWORD);
    await page.getByTestId("go-on").click();
    await page.getByTestId("connect-agree").click();
    await expect(page.locator("h1")).toHaveText("Back in the shop");
    const back = redirects.at(-1);
    expect(back?.get("state")).toBe(state);
    expect(back?.get("page")).toBe("tillgate");
    const response = await fetch(`${sandbox.api}/connect/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        grant_type: "authorization_code",
        code: back?.get("code"),
        code_verifier: verifier,
        redirect_uri: requested.get("return_url"),
      }),
    });
    expect(response.status).toBe(200);
    const { data } = await response.json();
    expect(data.sandbox.client_secret).toMatch(/^tgs_test_/);
    // The new credentials work immediately.
    const { client_id, client_secret } = data.sandbox;
    const tillgate = createPayClient({
      baseUrl: sandbox.api,
      mode: "sandbox",
      clientId: client_id,
      clientSecret: client_secret,
    });
    const order = await tillgate.orders.create({
      amount: "41.50",
      currency: "EUR",
      reference: "the first order of a new account",
      callback_url: `${sandbox.connector}/nowhere`,
    });
    await page.goto(order.payment_url ?? "");
    await expect(page.locator("main")).toContainText("Kiln & <b>Clover</b>");

    // The page never redirects to an invalid return address, not even to decline.
    requested.set("return_url", "https://evil.example/back");
    await page.goto(`${sandbox.dashboard}/connect?${requested}`);
    await expect(page.getByTestId("connect-refused")).toBeVisible();
    await expect(page.locator('a[href*="evil.example"]')).toHaveCount(0);
    await expectPageQualityInLight(page, "invalid connect request");
  } finally {
    shop.close();
  }
});
