import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, eventually, openBench } from "./bench.js";
import { FaultyProxy } from "./faulty-proxy.js";
import type { ReceivedWebhook } from "./webhook-inbox.js";

/** Lifetime of a killed process's claim, in milliseconds. */
const CLAIM_MS = 2_000;

let bench: Bench;
let shopLine: FaultyProxy;
beforeAll(async () => {
  bench = await openBench({ settings: { claimMs: CLAIM_MS, claimWaitMs: 200 } });
  shopLine = await FaultyProxy.open(bench.shop.keys.url);
});
afterAll(async () => {
  await shopLine.close();
  await bench.close();
});

/** Handles one delivery in a separate process. */
function deliverInChildProcess(mail: ReceivedWebhook): ChildProcess {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "connector-to-kill.mjs")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const { merchant, connector, api, shop, connectorDatabaseUrl } = bench;
  child.stdin?.end(
    JSON.stringify({
      recordsUrl: connectorDatabaseUrl,
      settings: connector.settings,
      store: { ...shop.keys, url: shopLine.url },
      tillgate: { baseUrl: api, mode: "sandbox", ...merchant },
      mail: { headers: mail.headers, body: Buffer.from(mail.body).toString("base64") },
    }),
  );
  return child;
}

/** The shop call during which the process is killed, and whether that call still arrives. */
const moments = [
  { name: "between claim and change", method: "PUT", sub: "", arrives: false },
  { name: "after the change, before its response", method: "PUT", sub: "", arrives: true },
  { name: "before the note", method: "POST", sub: "/notes", arrives: false },
  { name: "after the note, before it is recorded", method: "POST", sub: "/notes", arrives: true },
] as const;

describe("a payment whose connector is killed with SIGKILL", () => {
  for (const { name, method, sub, arrives } of moments) {
    it(`is completed once when the webhook is delivered again: ${name}`, async () => {
      const productId = await bench.shop.product({ price: "41.50", pieces: 10 });
      const order = await bench.shop.order(productId);
      const { payment_url } = await bench.connector.startPayment({
        storeOrderId: order.id,
        orderKey: order.order_key,
      });
      expect(await bench.shopper.pay(payment_url)).toBe(true);
      const [newest] = (await bench.tillgate.orders.list({ reference: order.number })).orders;
      const mail = await bench.mailbox.wait(newest?.order_id ?? "", "pos.order.paid");

      const child = deliverInChildProcess(mail);
      const ended = once(child, "exit");
      shopLine.decide = (call) => {
        const address = call.path.split("?")[0] ?? "";
        if (call.method !== method || !address.endsWith(`/orders/${order.id}${sub}`)) return "pass";
        child.kill("SIGKILL");
        return arrives ? "response lost" : "down";
      };
      expect(await ended).toEqual([null, "SIGKILL"]);
      // Tillgate retries a delivery without a 2xx. The dead process's claim may block the retry until the claim expires.
      await eventually(() => bench.deliver(mail), 10 * CLAIM_MS);
      expect((await bench.shop.read(order.id)).status).toBe("processing");
      const notes = await bench.shop.notes(order.id);
      expect(notes.filter((note) => note.endsWith("to Processing."))).toHaveLength(1);
      expect(notes.filter((note) => note.includes("Tillgate: paid"))).toHaveLength(1);
      expect(await bench.shop.stock(productId)).toBe(9);
    });
  }
});
