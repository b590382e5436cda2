import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { ConnectorContext } from "./context.js";
import { scheduleChecks } from "./schedule-checks.js";

export type StoreWebhookState = "off" | "active" | "paused" | "disabled" | "missing";

/** Minimum time between checks of an inactive webhook by the health page. */
const CHECK_INTERVAL_MS = 5_000;

const PROBLEM_TEXTS: Partial<Record<StoreWebhookState, string>> = {
  paused:
    "The shop’s webhook to the connector is paused. Until it’s active again, changes are found only by polling.",
  disabled:
    "The shop’s webhook to the connector is disabled: WooCommerce does this after more than 5 failures in a row. Set it to active again. Until then, changes are found only by polling.",
  missing:
    "The shop has no order.updated webhook to the connector. Create it with npx tillgate-connect. Until then, changes are found only by polling.",
};

/** Checks the webhook at every sweep until it is active, and then only every `storeWebhookCheckMs`. */
export async function checkStoreWebhook(context: ConnectorContext): Promise<void> {
  const { settings } = context;
  const last = await lastReport(context);
  if (last?.state === "active" && last.ageMs < settings.storeWebhookCheckMs) return;
  await reportStoreWebhook(context);
}

/** Checks an inactive webhook again for the health page, because the owner may just have fixed it. Does not throw if the store is unavailable. */
export async function refreshStoreWebhook(context: ConnectorContext): Promise<void> {
  const last = await lastReport(context);
  if (last !== null && (last.state === "active" || last.ageMs < CHECK_INTERVAL_MS)) return;
  try {
    await reportStoreWebhook(context);
  } catch (error) {
    await context.reporter.error("checking the shop’s webhook", error);
  }
}

const reportSchema = z.object({ state: z.string() });

async function lastReport({ health }: ConnectorContext) {
  const report = (await health.reports()).find(({ name }) => name === "store_webhook");
  if (report === undefined) return null;
  const parsed = reportSchema.safeParse(JSON.parse(report.value));
  return { state: parsed.success ? parsed.data.state : null, ageMs: report.ageMs };
}

async function reportStoreWebhook(context: ConnectorContext): Promise<void> {
  const { reporter, settings, store } = context;
  if (settings.storeWebhookSecret === null || settings.storeWebhookUrl === null) {
    await reporter.writeReport("store_webhook", { state: "off" });
    return;
  }
  const webhooks = (await store.webhooks()).filter(
    ({ deliveryUrl, topic }) => topic === "order.updated" && deliveryUrl === settings.storeWebhookUrl,
  );
  const state: StoreWebhookState = webhooks.some(({ status }) => status === "active")
    ? "active"
    : webhooks.some(({ status }) => status === "disabled")
      ? "disabled"
      : webhooks.length > 0
        ? "paused"
        : "missing";
  await reporter.writeReport("store_webhook", { state });
  const text = PROBLEM_TEXTS[state];
  if (text === undefined) await reporter.resolveProblem("store_webhook", "store_webhook");
  else await reporter.reportProblem({ kind: "store_webhook", subject: "store_webhook", text });
}

export type ReceivedStoreWebhook = {
  /** `X-WC-Webhook-Signature`. */
  signature: string | undefined;
  /** `X-WC-Webhook-Topic`. */
  topic: string | undefined;
  contentType: string | undefined;
  body: Uint8Array;
};

/** Failures are thrown. */
export type StoreWebhookOutcome =
  /** The unsigned ping of a new webhook. */
  | "ping"
  /** A check of the order is scheduled durably. */
  | "queued"
  /** The delivery is not about an order with a Tillgate payment. */
  | "ignored"
  /** The signature is missing or wrong, or no secret is configured. */
  | "refused";

const MAX_PING_BYTES = 64;
const bodySchema = z.object({ id: z.int().positive() });

/** Schedules a check of the order in the delivery. The store does not retry deliveries, so the check is stored before this function returns. */
export async function receiveStoreWebhook(
  context: ConnectorContext,
  delivery: ReceivedStoreWebhook,
): Promise<StoreWebhookOutcome> {
  const { payments, settings } = context;
  if (isPing(delivery)) return "ping";
  if (settings.storeWebhookSecret === null || !hasValidSignature(delivery, settings.storeWebhookSecret))
    return "refused";
  if (!/^order\.(created|updated|deleted|restored)$/.test(delivery.topic ?? "")) return "ignored";
  const id = parseOrderId(delivery.body);
  if (id === null) return "ignored";
  const orderIds = await payments.knownOrders([id]);
  if (orderIds.length === 0) return "ignored";
  await scheduleChecks(context, orderIds, 0);
  return "queued";
}

/** WooCommerce's ping has no signature, and needs none because it has no effect. */
function isPing({ contentType = "", body, signature }: ReceivedStoreWebhook): boolean {
  if (signature !== undefined || !contentType.startsWith("application/x-www-form-urlencoded")) return false;
  return body.byteLength <= MAX_PING_BYTES && /^webhook_id=\d+$/.test(Buffer.from(body).toString("latin1"));
}

/** The signature is the base64-encoded HMAC-SHA256 of the body's bytes. */
function hasValidSignature({ signature = "", body }: ReceivedStoreWebhook, secret: string): boolean {
  const expected = createHmac("sha256", secret).update(body).digest();
  const received = Buffer.from(signature, "base64");
  return received.length === expected.length && timingSafeEqual(received, expected);
}

function parseOrderId(body: Uint8Array): number | null {
  try {
    return bodySchema.parse(JSON.parse(Buffer.from(body).toString("utf8"))).id;
  } catch {
    // The signature is valid, but the body has no order ID.
    return null;
  }
}
