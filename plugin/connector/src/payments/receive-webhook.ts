import { TillgateApiError } from "@tillgate/client";
import type { OrderEvent, RefundEvent, WebhookEvent } from "@tillgate/contract";
import {
  parseWebhookEvent,
  type ReceivedHeaders,
  rawKey,
  replayIdOf,
  verifyWebhook,
  WebhookEventError,
} from "@tillgate/webhooks";
import { ConnectorError } from "../connector-error.js";
import type { PlacedPayment } from "../records/records.js";
import { StoreError } from "../store/store-access.js";
import { applyFact } from "./apply-fact.js";
import { withOrderClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { evaluateSigners, tillgateClient } from "./credentials.js";
import { isRefundFact, type PaymentFact, toFact, toOrderFacts } from "./facts.js";
import { recoverPayment } from "./recover-payment.js";

/** @returns the state read from the API; null if the API does not confirm the event @throws the client's error if the API is unavailable */
async function confirmedFact(
  context: ConnectorContext,
  payment: PlacedPayment,
  event: OrderEvent | RefundEvent,
): Promise<PaymentFact | null> {
  const received = toFact(event);
  const tillgate = tillgateClient(context, payment.credential);
  try {
    const order = await tillgate.orders.get(received.tillgateOrderId);
    if (!isRefundFact(received))
      return toOrderFacts(order).find((fact) => fact.event === received.event) ?? null;
    const refund = await tillgate.refunds.get(received.refund.refund_id);
    const isConfirmed =
      refund.transaction_id === order.trx_id && `refund.${refund.status}` === received.event;
    return isConfirmed ? { ...received, trxId: refund.transaction_id, refund } : null;
  } catch (error) {
    if (error instanceof TillgateApiError && error.status === 404) return null;
    throw error;
  }
}

export type ReceivedWebhook = {
  headers: ReceivedHeaders;
  /** The body's bytes, untouched. */
  body: Uint8Array;
};

/** The outcome of a delivery. `refused` is a 401 response, all others 2xx; failures are thrown. */
export type WebhookOutcome =
  /** The signature is missing, wrong, stale or not valid for this payment. */
  | { outcome: "refused"; reason: string }
  /** A test, payout or report event, or an event that this version does not support. */
  | { outcome: "ignored" }
  /** The event was applied before. */
  | { outcome: "repeated"; event: string }
  /** Applied durably in the store. `orderStatus` is the store order's status; null if it could not be read. */
  | { outcome: "applied"; event: string; action: string; orderStatus: string | null };

/**
 * Verifies a delivery and applies its event once, or again if Tillgate replays it.
 * @throws ConnectorError `order_not_found` if the order belongs to no payment in this store; after any other error, Tillgate must retry
 */
export async function receiveWebhook(
  context: ConnectorContext,
  delivery: ReceivedWebhook,
): Promise<WebhookOutcome> {
  const { reporter } = context;
  let outcome: WebhookOutcome;
  try {
    outcome = await processDelivery(context, delivery);
  } catch (error) {
    const isForeign = error instanceof ConnectorError && error.code === "order_not_found";
    await reporter.webhook(isForeign ? "not_found" : "failed", null);
    await reporter.error("processing a webhook from Tillgate", error);
    throw error;
  }
  if (outcome.outcome === "refused") await reporter.rejectedWebhook(outcome.reason);
  else await reporter.webhook(outcome.outcome, "event" in outcome ? outcome.event : null);
  return outcome;
}

async function processDelivery(
  context: ConnectorContext,
  delivery: ReceivedWebhook,
): Promise<WebhookOutcome> {
  const { settings } = context;
  const verify = (secrets: string[]) =>
    verifyWebhook({
      headers: delivery.headers,
      body: delivery.body,
      keys: secrets.map(rawKey),
      nowSeconds: context.nowSeconds(),
      toleranceSeconds: settings.webhookToleranceSeconds,
    });
  const verification = verify(settings.credentials.map(({ clientSecret }) => clientSecret));
  if (verification.status !== "ok") return { outcome: "refused", reason: verification.status };
  const event = readEvent(context, verification.body);
  if (event === null || event.event === "tillgate.test") return { outcome: "ignored" };
  // Events of payouts and reports have no order. They are meant for a merchant's own endpoints.
  if ("payout_id" in event || event.event === "report.ready") return { outcome: "ignored" };
  const keys = settings.credentials.map(({ clientSecret }) => rawKey(clientSecret));
  const isReplayed = replayIdOf({ headers: delivery.headers, keys }) !== undefined;
  const received = { event, body: verification.body, isReplayed };
  return applyOnce(context, received, (secret) => verify([secret]).status === "ok");
}

/** @returns null for an unknown event name, which a later version may send @throws ConnectorError `event_unreadable` for an invalid event */
function readEvent({ log }: ConnectorContext, body: string): WebhookEvent | null {
  try {
    return parseWebhookEvent(body);
  } catch (error) {
    if (!(error instanceof WebhookEventError)) throw error;
    const known = ["pos.order.", "refund.", "tillgate."].some(
      (prefix) => error.event?.startsWith(prefix) ?? false,
    );
    if (error.event !== undefined && !known) {
      log.warn({ event: error.event }, "Ignored an unknown event");
      return null;
    }
    const text = `${error.message} ${error.problems.join("; ")}`.trim();
    throw new ConnectorError("event_unreadable", text, { cause: error });
  }
}

async function applyOnce(
  context: ConnectorContext,
  { event, body, isReplayed }: { event: OrderEvent | RefundEvent; body: string; isReplayed: boolean },
  isSignedBy: (secret: string) => boolean,
): Promise<WebhookOutcome> {
  const { payments, events, settings } = context;
  const tillgateOrderId = event.data.order_id;
  const signer = settings.credentials.find(({ clientSecret }) => isSignedBy(clientSecret));
  const payment =
    (await payments.byTillgateOrder(tillgateOrderId)) ??
    (signer === undefined ? null : await recoverPayment(context, tillgateOrderId, signer));
  if (payment === null)
    throw new ConnectorError(
      "order_not_found",
      `No order in this store belongs to Tillgate order ${tillgateOrderId}.`,
    );
  const trust = evaluateSigners(settings.credentials, payment.credential, isSignedBy);
  if (trust === "reject") return { outcome: "refused", reason: "foreign_secret" };
  const fact = trust === "act" ? toFact(event) : await confirmedFact(context, payment, event);
  if (fact === null) return { outcome: "refused", reason: "not_confirmed" };
  await events.save({ eventId: event.id, event: event.event, tillgateOrderId, body });
  const applied = await withOrderClaim(context, payment.storeOrderId, async (claim) => {
    // A replay is meant for a shop that lost the event's effect, so the event is applied again.
    if (!isReplayed && (await events.isProcessed(event.id))) return null;
    const result = await applyFact(context, claim, fact, { replayed: isReplayed });
    await events.complete(event.id, result.action);
    return result;
  });
  if (applied === null) return { outcome: "repeated", event: event.event };
  const { action, orderStatus = await readOrderStatus(context, payment.storeOrderId) } = applied;
  return { outcome: "applied", event: event.event, action, orderStatus };
}

/** Returns null if the order was deleted or the store is unavailable. Neither is an error, because the event is already applied. */
async function readOrderStatus(
  { store, log }: ConnectorContext,
  storeOrderId: number,
): Promise<string | null> {
  try {
    return (await store.order(storeOrderId))?.status ?? null;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    log.warn({ order: storeOrderId, error: error.message }, "Could not read the order's status");
    return null;
  }
}
