import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expectGood, expectGoodInLight } from "../fixtures/axe.js";
import { expect, test } from "../fixtures/test.js";
import { Console } from "../pages/console.js";

test("a shop is connected by its owner: named, agreed to, and back in the shop with a code that it exchanges @one-width", async ({
  page,
  books,
  sandbox,
}) => {
  test.slow();
  const came: URLSearchParams[] = [];
  const shop = createServer((request, response) => {
    if (request.url?.startsWith("/back")) came.push(new URL(request.url, "http://shop").searchParams);
    response.setHeader("content-type", "text/html").end("<title>Shop</title><h1>Back in the shop</h1>");
  });
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  const verifier = randomBytes(32).toString("base64url");
  const state = randomBytes(16).toString("base64url");
  const asked = new URLSearchParams({
    platform: "woocommerce",
    shop_name: "Kiln & <b>Clover</b>",
    shop_url: origin,
    return_url: `${origin}/back?page=tillgate`,
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  try {
    const email = "connecting.owner@example.com";
    await books.addConsoleUser(email, sandbox.merchant_user);
    // The whole request outlives signing in.
    await page.goto(`${sandbox.api}/connect?${asked}`);
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill(sandbox.merchant_user.password);
    await page.getByTestId("sign-in").click();
    await expect(page.getByTestId("connect")).toContainText(`Kiln & <b>Clover</b> (${new URL(origin).host})`);
    await expectGood(page, "the question of a connection");
    await page.getByTestId("connect-decline").click();
    await expect(page.locator("h1")).toHaveText("Back in the shop");
    expect(came.at(-1)?.get("error")).toBe("access_denied");
    expect(came.at(-1)?.get("state")).toBe(state);

    // Credentials need a second factor: the page leads there and back, with the whole request.
    await page.goto(`${sandbox.api}/connect?${asked}`);
    await expect(page.getByTestId("connect-agree")).toHaveCount(0);
    await page.getByRole("link", { name: "Set one up" }).click();
    await page.getByTestId("set-up-factor").click();
    await new Console(page, sandbox).confirmFactor(sandbox.merchant_user.password);
    await page.getByTestId("go-on").click();
    await page.getByTestId("connect-agree").click();
    await expect(page.locator("h1")).toHaveText("Back in the shop");
    const back = came.at(-1);
    expect(back?.get("state")).toBe(state);
    expect(back?.get("page")).toBe("tillgate");
    const answer = await fetch(`${sandbox.api}/connect/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        grant_type: "authorization_code",
        code: back?.get("code"),
        code_verifier: verifier,
        redirect_uri: asked.get("return_url"),
      }),
    });
    expect(answer.status).toBe(200);
    const { data } = await answer.json();
    expect(data.sandbox.client_secret).toMatch(/^tgs_test_/);

    // A request that leads elsewhere is never followed, not even to decline.
    asked.set("return_url", "https://evil.example/back");
    await page.goto(`${sandbox.dashboard}/connect?${asked}`);
    await expect(page.getByTestId("connect-refused")).toBeVisible();
    await expect(page.locator('a[href*="evil.example"]')).toHaveCount(0);
    await expectGoodInLight(page, "a request that cannot be used");
  } finally {
    shop.close();
  }
});
