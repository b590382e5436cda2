import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { z } from "zod";
import { freePort } from "../../scripts/testing/free-port.js";
import { expect, test } from "../fixtures/test.js";
import { Console } from "../pages/console.js";
import { PaymentPage } from "../pages/payment-page.js";

const run = promisify(execFile);
const madeSchema = z.object({ data: z.object({ payment_url: z.url() }) });

/** Reads a code snippet of the page. */
const linesOf = async (page: Page, id: string): Promise<string> =>
  (await page.locator(`#${id}`).textContent()) ?? "";

/** Saves the receiver snippet to a file and starts it. */
async function startReceiver(lines: string, secret: string, port: number) {
  const folder = await mkdtemp(path.join(tmpdir(), "tillgate-receiver-"));
  const file = path.join(folder, "receiver.mjs");
  await writeFile(file, lines);
  const environment = { PATH: process.env.PATH ?? "", PORT: String(port), TILLGATE_WEBHOOK_SECRET: secret };
  const receiver = spawn(process.execPath, [file], {
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  receiver.stdout.on("data", (text) => (output += text));
  const isThere = () =>
    fetch(`http://127.0.0.1:${port}`, { method: "POST", body: "{}" }).then(
      ({ status }) => status,
      () => 0,
    );
  // An unsigned request is rejected.
  await expect.poll(isThere).toBe(401);
  return {
    readOutput: () => output,
    stop: async () => {
      receiver.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

test("a new owner gets a webhook delivered and creates an API key in the console without writing code", async ({
  page,
  books,
  sandbox,
  administrator,
}, { project }) => {
  const owner = { email: `five.minutes@${project.name}.example`, password: sandbox.merchant_user.password };
  const merchant = `Fern & Finch ${project.name}`;
  await administrator.createMerchant(merchant);
  await books.addConsoleUser(owner.email, sandbox.merchant_user, merchant);
  const console_ = new Console(page, sandbox);
  const home = await console_.signInAtHome(owner);
  const next = page.getByTestId("setup").locator("[aria-current=step] a").first();

  await page.getByTestId("test-receiver").click();
  await expect(page.getByTestId("notice")).toContainText("received a test event");
  await page.getByRole("link", { name: "Open a wallet first" }).click();
  await page.locator('form[data-action="open"] button').click();
  await page.goto(home);
  await page.getByTestId("test-order").click();
  await page.getByTestId("pay-as-shopper").click();
  // The page follows its order without a reload.
  const timeline = page.getByTestId("timeline");
  await expect(timeline).toContainText("Response 200", { timeout: 15_000 });
  await expect(timeline).toContainText("received");

  await page.goto(home);
  await expect(next).toHaveText("Secure your account");
  await next.click();
  await page.getByTestId("set-up-factor").click();
  await console_.confirmFactor(owner.password);
  await page.getByTestId("go-on").click();
  await page.getByTestId("make-key").click();
  await expect(page.locator("#client-secret")).toContainText("tgs_");
  await page.goto(home);
  await expect(page.getByTestId("setup")).toHaveCount(0);
});

test("using the console's code snippets, a new owner gets an order paid and a webhook delivered @one-width", async ({
  page,
  browser,
  books,
  sandbox,
  administrator,
}) => {
  test.slow();
  const owner = { email: "first.sale@example.com", password: sandbox.merchant_user.password };
  await administrator.createMerchant("Alder & Wren");
  await books.addConsoleUser(owner.email, sandbox.merchant_user, "Alder & Wren");
  const console_ = new Console(page, sandbox);
  const home = await console_.signInAtHome(owner);
  const next = page.getByTestId("setup").locator("[aria-current=step] a");

  // An API key requires a second factor, so the form links to the setup of one.
  await page.goto(`${home}/developers`);
  await page.getByTestId("make-credential").click();
  await page.getByRole("link", { name: "Set up" }).click();
  await page.getByTestId("set-up-factor").click();
  await console_.confirmFactor(owner.password);
  await page.getByTestId("go-on").click();
  await page.getByTestId("make-credential").click();
  await page.locator('form[data-action="make"] button').click();
  const clientSecret = await linesOf(page, "client-secret");

  await page.goto(home);
  const lines = await linesOf(page, "setup-endpoint");
  // An opened section stays open after a refresh; wait for two, since the first may precede the click.
  await page.getByText("Starter code").click();
  for (const _time of [1, 2]) await page.waitForRequest(home);
  await expect(page.locator("#setup-endpoint")).toBeVisible();
  await next.click();
  const port = await freePort();
  const adding = page.locator('form[data-action="add"]');
  await adding.waitFor({ state: "attached" });
  if (!(await adding.isVisible())) await page.getByText("Add endpoint").first().click();
  await adding.locator("input[type=url]").fill(`http://127.0.0.1:${port}`);
  await adding.locator("button").click();
  const receiver = await startReceiver(lines, await linesOf(page, "endpoint-secret"), port);
  try {
    await page.getByTestId("test-endpoint").click();
    await expect(page.getByTestId("notice")).toContainText("Test event delivered (HTTP 204");

    // An order requires a wallet, so the step links to opening one.
    await page.goto(home);
    await page.getByRole("link", { name: "Open a wallet first" }).click();
    await page.locator('form[data-action="open"] button').click();
    await expect(page.getByTestId("notice")).toHaveText("EUR wallet opened.");

    await page.goto(home);
    const order = (await linesOf(page, "setup-order")).replace("tgs_…", clientSecret);
    const { stdout } = await run("bash", ["-c", order.replace("curl ", "curl -sS ")]);
    const { payment_url } = madeSchema.parse(JSON.parse(stdout)).data;

    // The page completes the step automatically and links to the order and its payment page.
    await expect(next).toHaveText("Pay the order");
    await next.click();
    await expect(page.getByRole("link", { name: payment_url })).toBeVisible();
    const shopper = await browser.newPage();
    const payment = await new PaymentPage(shopper).open(payment_url);
    await payment.approve.click();
    await payment.expectStatus("PAID");
    await shopper.close();
    await expect.poll(receiver.readOutput).toContain("is paid: 1 EUR");
    const timeline = page.getByTestId("timeline");
    await expect(async () => {
      await page.reload();
      await expect(timeline).toContainText("Response 204", { timeout: 500 });
      await expect(timeline).toContainText("POST /pay/sandbox/api/v1/orders", { timeout: 500 });
    }).toPass();
    await page.goto(home);
    await expect(page.getByTestId("setup")).toHaveCount(0);
    await expect(page.locator(".tile")).toContainText("1.00");
  } finally {
    await receiver.stop();
  }
});
