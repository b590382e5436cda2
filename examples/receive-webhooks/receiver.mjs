// Receives Tillgate's webhooks: verifies each, processes it once, then returns 2xx. Plain Node.js, no dependencies:
//   TILLGATE_WEBHOOK_SECRET=… PORT=3000 node receiver.mjs
// The secret is the client secret (for an order's callback_url) or an endpoint's whsec_… signing secret.
import { isUtf8 } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const MAX_BODY_BYTES = 256 * 1024;
const MAX_AGE_SECONDS = 300;
const MAX_SIGNATURES = 16;

const { TILLGATE_WEBHOOK_SECRET: secret = "", PORT = "3000" } = process.env;
if (secret === "") throw new Error("TILLGATE_WEBHOOK_SECRET is not set.");

/** The HMAC key: the decoded base64 part of an endpoint's secret, or the UTF-8 bytes of a client secret. */
export const toKey = (text) =>
  text.startsWith("whsec_") ? Buffer.from(text.slice("whsec_".length), "base64") : Buffer.from(text);

export function isGenuine(headers, body, key, nowSeconds = Math.floor(Date.now() / 1000)) {
  const {
    "webhook-id": id = "",
    "webhook-timestamp": at = "",
    "webhook-signature": signatures = "",
  } = headers;
  if (!/^[A-Za-z0-9_-]+$/.test(id) || !/^(0|[1-9][0-9]{0,10})$/.test(at) || !isUtf8(body)) return false;
  if (Math.abs(nowSeconds - Number(at)) > MAX_AGE_SECONDS) return false;
  const expected = Buffer.from(
    `v1,${createHmac("sha256", key).update(`${id}.${at}.`).update(body).digest("base64")}`,
  );
  const candidates = signatures.split(" ").filter((signature) => signature.startsWith("v1,"));
  if (candidates.length > MAX_SIGNATURES) return false;
  return candidates.some((signature) => {
    const bytes = Buffer.from(signature);
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
}

// In production, insert the ID into a unique column of your database, in the transaction that makes your change.
const handled = new Set();

async function handleOnce(event) {
  if (handled.has(event.id)) return;
  switch (event.event) {
    case "pos.order.paid":
      // Compare order, amount and currency with your own records before you ship.
      console.log(`Order ${event.data.order_id} is paid: ${event.data.amount} ${event.data.currency}`);
      break;
    case "payout.completed":
      console.log(`Payout ${event.payout_id} completed`);
      break;
    default:
    // Ignore events you don't use; new ones may be added.
  }
  handled.add(event.id);
}

/** @returns undefined if the body is too large */
async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @returns the response status; anything other than 2xx is retried */
async function receive(request) {
  if (request.method !== "POST") return 405;
  const body = await readBody(request);
  if (body === undefined) return 413;
  if (!isGenuine(request.headers, body, toKey(secret))) return 401;
  await handleOnce(JSON.parse(body.toString()));
  return 204;
}

export const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
  receive(request)
    .catch((error) => {
      // Includes aborted requests: no caller may crash this process.
      console.error(error.message);
      return 500;
    })
    .then((status) => response.writeHead(status, status === 413 ? { connection: "close" } : {}).end());
});
server.listen(Number(PORT));
