import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { createPayClient } from "@tillgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../scripts/testing/free-port.js";
import { eventually, findRunning, type Running } from "./bench.js";

/**
 * Runs the commands of docs/connect-a-headless-shop.md in order, except the installation. Only the example values
 * (addresses, keys, ports, paths) are replaced.
 */
const root = path.resolve(import.meta.dirname, "../..");
const guide = path.join(root, "docs/connect-a-headless-shop.md");

let running: Running;
let folder: string;
let blocks: string[];
let connectorUrl: string;
let shopUrl: string;
const processes: ChildProcess[] = [];

beforeAll(async () => {
  running = await findRunning();
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-guide-"));
  const [connectorPort, shopPort] = [await freePort(), await freePort()];
  connectorUrl = `http://127.0.0.1:${connectorPort}`;
  shopUrl = `http://127.0.0.1:${shopPort}`;
  const { keys } = running.shop;
  // The webhook tests of connect.test.ts use up the first merchant's limit per minute.
  const { otherMerchant: merchant } = running;
  const productId = await running.shop.product({ price: "12.50", pieces: 10 });
  const replacements: [string | RegExp, string][] = [
    ["npm install && npm run build", ":"],
    ["WOO_CONSUMER_KEY=ck_…", `WOO_CONSUMER_KEY=${keys.consumerKey}`],
    ["WOO_CONSUMER_SECRET=cs_…", `WOO_CONSUMER_SECRET=${keys.consumerSecret}`],
    ["https://api.tillgate.example", running.api],
    ["TILLGATE_CLIENT_ID=tg_test_…", `TILLGATE_CLIENT_ID=${merchant.clientId}`],
    ["TILLGATE_CLIENT_SECRET=tgs_test_…", `TILLGATE_CLIENT_SECRET=${merchant.clientSecret}`],
    [/https:\/\/connector\.example/g, connectorUrl],
    [/https:\/\/shop\.example/g, keys.url],
    [/127\.0\.0\.1:3000/g, `127.0.0.1:${shopPort}`],
    ["PORT=3000", `PORT=${shopPort}`],
    ["PORT=4104", `PORT=${connectorPort}`],
    ["PRODUCT_ID=12", `PRODUCT_ID=${productId}`],
    ["/var/lib/tillgate", folder],
    [/stores\.json/g, path.join(folder, "stores.json")],
  ];
  const written = await readFile(guide, "utf8");
  const found = [...written.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block).join("\f");
  // A replacement for an example that the guide no longer contains would silently have no effect.
  for (const [example] of replacements) expect(found).toMatch(example);
  const filled = replacements.reduce((all, [example, own]) => all.replace(example, own), found);
  expect(filled).not.toMatch(/…|\.example\b/);
  blocks = filled.split("\f");
});
afterAll(async () => {
  for (const child of processes) {
    if (child.exitCode !== null || child.pid === undefined) continue;
    const ended = once(child, "exit");
    // Signals npm, its shell and the program.
    process.kill(-child.pid, "SIGTERM");
    await ended;
  }
  for (const { id, delivery_url } of await running.shop.webhooks()) {
    if (delivery_url.startsWith(connectorUrl)) await running.shop.deleteWebhook(id);
  }
  await rm(folder, { recursive: true, force: true });
});

/** Starts a block of commands, with the variables exported by the blocks before it. */
function runInShell(step: number): ChildProcess {
  const exported = blocks.slice(0, step).flatMap((block) => block.match(/^export .*$/gm) ?? []);
  const script = [...exported, blocks[step] ?? "exit 9"].join("\n");
  const child = spawn("bash", ["-e", "-c", script], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: "warn" },
  });
  processes.push(child);
  return child;
}

async function connect(): Promise<{ code: number | null; report: string }> {
  const child = runInShell(0);
  if (child.stdout === null || child.stderr === null) throw new Error("The command's output is not piped.");
  const [, report] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: child.exitCode, report };
}

const reaches = (address: string) =>
  eventually(async () => expect((await fetch(address)).status).toBeLessThan(400));

describe("docs/connect-a-headless-shop.md, followed to the letter", () => {
  it("has one block of commands for each of its three steps", () => {
    expect(blocks).toHaveLength(3);
  });

  it("reports after step 1 only that the connector cannot be reached", async () => {
    const { code, report } = await connect();
    expect(report).toContain("The connector cannot be reached");
    expect(report.match(/✗/g)).toHaveLength(1);
    expect(code).toBe(1);
  });

  it("starts the connector at the URL given in step 1, and repeating step 1 reports a connected store", async () => {
    runInShell(1);
    await reaches(`${connectorUrl}/readyz`);
    const { code, report } = await connect();
    expect(report).toContain("All checks passed.");
    expect(code).toBe(0);
  });

  it("leads to a first sale, whose order is Processing when the thank-you page shows it as paid", async () => {
    runInShell(2);
    await reaches(shopUrl);
    const visit = (address: string, method = "GET") =>
      fetch(new URL(address, shopUrl), { method, redirect: "manual" });
    const pay = (await visit("/checkout", "POST")).headers.get("location") ?? "";
    const paymentUrl = (await visit(pay)).headers.get("location") ?? "";
    expect(await running.shopper.pay(paymentUrl)).toBe(true);
    const back = pay.replace("/checkout/pay", "/checkout/return");
    expect(await (await visit(back)).text()).toContain("is paid: 12.50 EUR");
    const order = await running.shop.read(Number(new URL(pay, shopUrl).searchParams.get("order")));
    expect(order.status).toBe("processing");
    const { orders } = createPayClient({ baseUrl: running.api, mode: "sandbox", ...running.otherMerchant });
    const [attempt] = (await orders.list({ reference: order.number, per_page: 1 })).orders;
    expect(attempt?.status).toBe("PAID");
  });
});
