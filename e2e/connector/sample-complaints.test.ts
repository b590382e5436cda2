import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../scripts/testing/free-port.js";
import { findRunning, type Running } from "./bench.js";
import { type Service, startService } from "./service.js";

/**
 * Runs the sample tests of docs/testing-your-checkout.md unchanged, against the demo shop with an installed connector and a
 * separate merchant, so that their orders do not mix with others.
 */
const document = path.resolve(import.meta.dirname, "../../docs/testing-your-checkout.md");
const written = await readFile(document, "utf8");
const program = [...written.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code).join("\n");
const names = [...program.matchAll(/^test\((["'])(.*)\1, async/gm)].map(([, , name = ""]) => name);
const headings = [...(written.split("## Common complaints")[1] ?? "").matchAll(/^### (.*)$/gm)].map(
  ([, heading = ""]) => heading,
);

let running: Running;
let folder: string;
let service: Service | undefined;
let webhookId: number | undefined;
let child: ChildProcess | undefined;
/** The run's TAP output. */
let report: string;

beforeAll(async () => {
  running = await findRunning();
  const { shop, api, otherMerchant } = running;
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-complaints-"));
  const secret = randomBytes(16).toString("hex");
  service = await startService({
    running,
    port: await freePort(),
    recordsFile: path.join(folder, "records.db"),
    // The minimum, because some samples wait for a sweep.
    sweepSeconds: 5,
    stores: [
      {
        id: "complaints",
        url: shop.keys.url,
        consumer_key: shop.keys.consumerKey,
        consumer_secret: shop.keys.consumerSecret,
        webhook_secret: secret,
        client_id: otherMerchant.clientId,
        client_secret: otherMerchant.clientSecret,
        mode: "sandbox",
        return_url: `${shop.keys.url}/checkout/return?order={order_id}&key={order_key}`,
      },
    ],
  });
  const deliveryUrl = `${service.url}/v1/stores/complaints/store-webhook`;
  webhookId = await shop.webhook({ topic: "order.updated", deliveryUrl, secret });
  const started = spawn(process.execPath, ["--test-reporter=tap", "--input-type=module", "-"], {
    // The program's imports are installed in this folder.
    cwd: path.resolve(import.meta.dirname, ".."),
    stdio: ["pipe", "pipe", "inherit"],
    env: {
      PATH: process.env.PATH,
      TILLGATE_API_URL: api,
      TILLGATE_CLIENT_ID: otherMerchant.clientId,
      TILLGATE_CLIENT_SECRET: otherMerchant.clientSecret,
      WOO_URL: shop.keys.url,
      WOO_CONSUMER_KEY: shop.keys.consumerKey,
      WOO_CONSUMER_SECRET: shop.keys.consumerSecret,
      CONNECTOR_URL: service.url,
      STORE_ID: "complaints",
      PRODUCT_ID: String(await shop.product({ price: "41.50", pieces: 100 })),
      TIMEOUT_SECONDS: "20",
    },
  });
  child = started;
  started.stdin.end(program);
  report = await text(started.stdout);
}, 120_000);
afterAll(async () => {
  child?.kill();
  if (webhookId !== undefined) await running.shop.deleteWebhook(webhookId);
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("sample tests in docs/testing-your-checkout.md", () => {
  it("have one test for each complaint, named like its heading", () => {
    const words = headings.filter((heading) => heading !== "In the browser");
    expect(names).toEqual(words.map((heading) => heading.charAt(0).toLowerCase() + heading.slice(1)));
  });

  it.each(names)("pass unchanged: %s", (name) => {
    expect(report).toMatch(new RegExp(`^ok \\d+ - ${name}$`, "m"));
  });
});
