import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { ConnectorContext } from "./context.js";
import { scheduleChecks } from "./schedule-checks.js";

/** The state of the store's own webhook, as the health panel shows it. */
export type StoreWebhookState = "off" | "active" | "paused" | "disabled" | "missing";

/** Looks of the health panel at a webhook that is not active are at least this far apart, in milliseconds. */
const CHECK_INTERVAL_MS = 5_000;

const words: Partial<Record<StoreWebhookState, string>> = {
  paused:
    "The store's webhook to the connector is paused. Until it is active again, changes are found by the poll only.",
  disabled:
    "The store's webhook to the connector is disabled: WooCommerce switches one off after more than 5 failures in a row. Please set it to active again; until then changes are found by the poll only.",
  missing:
    "The store has no webhook order.updated to the connector. Please make it; until then changes are found by the poll only.",
};

/**
 * Reads whether the store's own webhook exists and is active: at every sweep while it is not, and every few minutes while
 * it is, since it rarely changes then.
 */
export async function checkStoreWebhook(context: ConnectorContext): Promise<void> {
  const { settings } = context;
  const last = await lastReport(context);
  if (last?.state === "active" && last.ageMs < settings.storeWebhookCheckMs) return;
  await readStoreWebhook(context);
}

/**
 * For a reader of the health panel: if the webhook was not active a moment ago, `npm run connect` may just have made it.
 * Never throws: the panel must work also while the store cannot be asked.
 */
export async function readWebhookOfStore(context: ConnectorContext): Promise<void> {
  const last = await lastReport(context);
  if (last !== null && (last.state === "active" || last.ageMs < CHECK_INTERVAL_MS)) return;
  try {
    await readStoreWebhook(context);
  } catch (error) {
    await context.reporter.error("reading the state of the store's webhook", error);
  }
}

const reportSchema = z.object({ state: z.string() });

async function lastReport({ health }: ConnectorContext) {
  const report = (await health.reports()).find(({ name }) => name === "store_webhook");
  if (report === undefined) return null;
  const parsed = reportSchema.safeParse(JSON.parse(report.value));
  return { state: parsed.success ? parsed.data.state : null, ageMs: report.ageMs };
}

async function readStoreWebhook(context: ConnectorContext): Promise<void> {
  const { reporter, settings, store } = context;
  if (settings.storeWebhookSecret === null || settings.storeWebhookUrl === null) {
    await reporter.report("store_webhook", { state: "off" });
    return;
  }
  const ours = (await store.webhooks()).filter(
    ({ deliveryUrl, topic }) => topic === "order.updated" && deliveryUrl === settings.storeWebhookUrl,
  );
  const state: StoreWebhookState = ours.some(({ status }) => status === "active")
    ? "active"
    : ours.some(({ status }) => status === "disabled")
      ? "disabled"
      : ours.length > 0
        ? "paused"
        : "missing";
  await reporter.report("store_webhook", { state });
  const text = words[state];
  if (text === undefined) await reporter.settled("store_webhook", "store_webhook");
  else await reporter.problem({ kind: "store_webhook", subject: "store_webhook", text });
}

export type ReceivedStoreWebhook = {
  /** `X-WC-Webhook-Signature`; undefined where there is none. */
  signature: string | undefined;
  /** `X-WC-Webhook-Topic`. */
  topic: string | undefined;
  contentType: string | undefined;
  /** The body's bytes, untouched. */
  body: Uint8Array;
};

/** The outcome of a delivery of the store's own webhook. A failure is thrown. */
export type StoreWebhookOutcome =
  /** The unsigned ping of a new webhook. */
  | "ping"
  /** The order is to be looked at, and that is durable. */
  | "queued"
  /** Not an order of ours, or another topic. */
  | "ignored"
  /** The signature is missing or wrong, or there is no secret to check it with. */
  | "refused";

const MAX_PING_BYTES = 64;
const bodySchema = z.object({ id: z.int().positive() });

/**
 * Takes one delivery of the store's own webhook. Its body is not trusted: the present order is read from the store. The
 * store does not send again, so the look is durable before this returns.
 */
export async function receiveStoreWebhook(
  context: ConnectorContext,
  delivery: ReceivedStoreWebhook,
): Promise<StoreWebhookOutcome> {
  const { payments, settings } = context;
  if (isPing(delivery)) return "ping";
  if (settings.storeWebhookSecret === null || !isGenuine(delivery, settings.storeWebhookSecret))
    return "refused";
  if (!/^order\.(created|updated|deleted|restored)$/.test(delivery.topic ?? "")) return "ignored";
  const id = orderOf(delivery.body);
  if (id === null) return "ignored";
  const known = await payments.knownOrders([id]);
  if (known.length === 0) return "ignored";
  await scheduleChecks(context, known, 0);
  return "queued";
}

/** It changes nothing, so it needs no signature; WooCommerce sends none with it and wants a 200. */
function isPing({ contentType = "", body, signature }: ReceivedStoreWebhook): boolean {
  if (signature !== undefined || !contentType.startsWith("application/x-www-form-urlencoded")) return false;
  return body.byteLength <= MAX_PING_BYTES && /^webhook_id=\d+$/.test(Buffer.from(body).toString("latin1"));
}

/** Base64 of the HMAC-SHA256 of the body's bytes, compared in constant time. */
function isGenuine({ signature = "", body }: ReceivedStoreWebhook, secret: string): boolean {
  const expected = createHmac("sha256", secret).update(body).digest();
  const received = Buffer.from(signature, "base64");
  return received.length === expected.length && timingSafeEqual(received, expected);
}

function orderOf(body: Uint8Array): number | null {
  try {
    return bodySchema.parse(JSON.parse(Buffer.from(body).toString("utf8"))).id;
  } catch {
    // Genuine, but without an order to look at: another topic's shape.
    return null;
  }
}
