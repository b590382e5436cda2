import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../scripts/testing/free-port.js";
import { eventually, findRunning, type Running } from "./bench.js";
import { type Service, startService } from "./service.js";

const program = path.resolve(import.meta.dirname, "../../examples/headless-shop/server.mjs");
const MAX_LINES = 150;

let running: Running;
let folder: string;
let service: Service;
const shops: ChildProcess[] = [];
let shopUrl: string;
/** Address of the same shop with the payment in a dialog. */
let popupUrl: string;
let productId: number;

beforeAll(async () => {
  running = await findRunning();
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-headless-"));
  const [connectorPort, shopPort, popupPort] = [await freePort(), await freePort(), await freePort()];
  shopUrl = `http://127.0.0.1:${shopPort}`;
  popupUrl = `http://127.0.0.1:${popupPort}`;
  const { keys } = running.shop;
  service = await startService({
    running,
    port: connectorPort,
    recordsFile: path.join(folder, "records.db"),
    stores: [
      {
        id: "headless",
        url: keys.url,
        consumer_key: keys.consumerKey,
        consumer_secret: keys.consumerSecret,
        client_id: running.merchant.clientId,
        client_secret: running.merchant.clientSecret,
        mode: "sandbox",
        return_url: `${shopUrl}/checkout/return?order={order_id}&key={order_key}`,
      },
    ],
  });
  productId = await running.shop.product({ price: "12.50", pieces: 10 });
  const settings = {
    PATH: process.env.PATH,
    WOO_URL: keys.url,
    WOO_CONSUMER_KEY: keys.consumerKey,
    WOO_CONSUMER_SECRET: keys.consumerSecret,
    CONNECTOR_URL: service.url,
    STORE_ID: "headless",
    PRODUCT_ID: String(productId),
  };
  for (const own of [{ PORT: String(shopPort) }, { PORT: String(popupPort), SHOW_AS: "popup" }])
    shops.push(
      spawn(process.execPath, [program], {
        stdio: ["ignore", "ignore", "inherit"],
        env: { ...settings, ...own },
      }),
    );
  for (const url of [shopUrl, popupUrl])
    await eventually(async () => expect((await fetch(url)).status).toBe(200));
});
afterAll(async () => {
  for (const shop of shops) {
    if (shop.exitCode !== null) continue;
    const ended = once(shop, "exit");
    shop.kill();
    await ended;
  }
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

const visit = async (address: string, method = "GET") => {
  const response = await fetch(new URL(address, shopUrl), { method, redirect: "manual" });
  const html = await response.text();
  return { status: response.status, location: response.headers.get("location") ?? "", html };
};

/** Places an order and starts its payment. @returns the addresses of the pay page, the hosted page and the return page */
async function buy() {
  const { location: pay } = await visit("/checkout", "POST");
  const { location: paymentUrl } = await visit(pay);
  return { pay, paymentUrl, back: pay.replace("/checkout/pay", "/checkout/return") };
}

describe("example headless shop", () => {
  it("sells a product with one payment, even if the pay page is reloaded", async () => {
    expect((await visit("/")).html).toContain("12.50");
    const { pay, paymentUrl, back } = await buy();
    expect((await visit(pay)).location).toBe(paymentUrl);
    expect((await visit(back)).html).toContain("is not paid yet");
    expect(await running.shopper.pay(paymentUrl)).toBe(true);
    expect((await visit(back)).html).toContain("is paid: 12.50 EUR");
    expect((await visit(pay)).location).toBe(back);
    const id = Number(new URL(pay, shopUrl).searchParams.get("order"));
    expect(await running.shop.read(id)).toMatchObject({ status: "processing", total: "12.50" });
    expect(await running.shop.stock(productId)).toBe(9);
  });

  it("opens the payment in a dialog, and gives browsers with scripting disabled a link to the payment page", async () => {
    const { pay, paymentUrl } = await buy();
    const { status, html } = await visit(new URL(pay, popupUrl).href);
    expect(status).toBe(200);
    expect(html).toContain(`<tillgate-pay open payment-url="${paymentUrl}"`);
    expect(html).toContain(`<a href="${paymentUrl}">Pay now</a></tillgate-pay>`);
    expect(html).toContain(`<script src="${new URL(paymentUrl).origin}/tillgate.js" defer></script>`);
    // The dialog's message is not trusted: the return page shows what the connector reports.
    expect((await visit(pay.replace("/checkout/pay", "/checkout/return"))).html).toContain("is not paid yet");
  });

  it("shows that a cancelled payment was not charged", async () => {
    const { paymentUrl, back } = await buy();
    expect(await running.shopper.cancel(paymentUrl)).toBe(true);
    expect((await visit(back)).html).toContain("The payment was cancelled. You haven't been charged.");
  });

  it("shows that a completed order cannot be paid, and does not reload", async () => {
    const { pay } = await buy();
    const id = Number(new URL(pay, shopUrl).searchParams.get("order"));
    await running.shop.change(id, { status: "completed" });
    const { status, html } = await visit(pay);
    expect(status).toBe(422);
    expect(html).toContain("can’t be paid. If you’ve paid, don’t pay again.");
    expect(html).not.toContain("http-equiv");
  });

  it("shows no order for a wrong order key", async () => {
    const { back } = await buy();
    const response = await visit(back.replace(/key=.*/, "key=wrong"));
    expect(response.status).toBe(404);
    expect(response.html).not.toContain("paid");
  });

  it("has at most 150 lines", async () => {
    expect((await readFile(program, "utf8")).split("\n").length).toBeLessThanOrEqual(MAX_LINES);
  });
});
