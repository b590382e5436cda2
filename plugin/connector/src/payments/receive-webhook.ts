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
import { adoptPayment } from "./adopt-payment.js";
import { applyFact } from "./apply-fact.js";
import { withOrderClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { proofOf, tillgateOf } from "./credentials.js";
import { factOfEvent, factsOfOrder, isRefundFact, type PaymentFact } from "./facts.js";

/**
 * Asks the API to confirm an event whose signature alone proves too little.
 * @returns the API's own state, which may act; null where the API does not confirm it
 * @throws the client's error where it cannot be asked: the delivery is to be repeated
 */
async function confirmedFact(
  context: ConnectorContext,
  payment: PlacedPayment,
  event: OrderEvent | RefundEvent,
): Promise<PaymentFact | null> {
  const told = factOfEvent(event);
  const tillgate = tillgateOf(context, payment.credential);
  try {
    const order = await tillgate.orders.get(told.tillgateOrderId);
    if (!isRefundFact(told)) return factsOfOrder(order).find((fact) => fact.event === told.event) ?? null;
    const refund = await tillgate.refunds.get(told.refund.refund_id);
    const isSo = refund.transaction_id === order.trx_id && `refund.${refund.status}` === told.event;
    return isSo ? { ...told, trxId: refund.transaction_id, refund } : null;
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

/** The outcome of a delivery. Everything but `refused` is answered 2xx; a failure is thrown. */
export type WebhookOutcome =
  /** The signature is missing, wrong, stale or proves nothing of this payment: 401, nothing acts. */
  | { outcome: "refused"; reason: string }
  /** A test, or an event this version does not know. */
  | { outcome: "ignored" }
  /** The event had its effect before. */
  | { outcome: "repeated"; event: string }
  /** Its effect is durable in the store now. The store's word for its order, where it could be asked. */
  | { outcome: "applied"; event: string; action: string; orderStatus: string | null };

/**
 * Takes one delivery: verifies it before parsing, finds its order, and has the event act once.
 *
 * @throws ConnectorError `order_not_found` for an order that is not this store's; anything else that is thrown means "not
 *   done, send it again"
 */
export async function receiveWebhook(
  context: ConnectorContext,
  delivery: ReceivedWebhook,
): Promise<WebhookOutcome> {
  const { reporter } = context;
  let outcome: WebhookOutcome;
  try {
    outcome = await takeDelivery(context, delivery);
  } catch (error) {
    const isForeign = error instanceof ConnectorError && error.failure === "order_not_found";
    await reporter.webhook(isForeign ? "not_found" : "failed", null);
    await reporter.error("receiving an event of Tillgate", error);
    throw error;
  }
  if (outcome.outcome === "refused") await reporter.refusedWebhook(outcome.reason);
  else await reporter.webhook(outcome.outcome, "event" in outcome ? outcome.event : null);
  return outcome;
}

async function takeDelivery(context: ConnectorContext, delivery: ReceivedWebhook): Promise<WebhookOutcome> {
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
  // Payouts have no order; they go to a merchant's own endpoints, not here.
  if ("payout_id" in event) return { outcome: "ignored" };
  const keys = settings.credentials.map(({ clientSecret }) => rawKey(clientSecret));
  const isReplayed = replayIdOf({ headers: delivery.headers, keys }) !== undefined;
  const received = { event, body: verification.body, isReplayed };
  return actOnce(context, received, (secret) => verify([secret]).status === "ok");
}

/** @returns null for the name of an event that a later version sends */
function readEvent({ log }: ConnectorContext, body: string): WebhookEvent | null {
  try {
    return parseWebhookEvent(body);
  } catch (error) {
    if (!(error instanceof WebhookEventError)) throw error;
    const known = ["pos.order.", "refund.", "tillgate."].some(
      (prefix) => error.event?.startsWith(prefix) ?? false,
    );
    if (error.event !== undefined && !known) {
      log.warn({ event: error.event }, "An event of an unknown name was ignored");
      return null;
    }
    const text = `${error.message} ${error.problems.join("; ")}`.trim();
    throw new ConnectorError("event_unreadable", text, { cause: error });
  }
}

async function actOnce(
  context: ConnectorContext,
  { event, body, isReplayed }: { event: OrderEvent | RefundEvent; body: string; isReplayed: boolean },
  isSignedBy: (secret: string) => boolean,
): Promise<WebhookOutcome> {
  const { payments, events, settings } = context;
  const tillgateOrderId = event.data.order_id;
  const signer = settings.credentials.find(({ clientSecret }) => isSignedBy(clientSecret));
  const payment =
    (await payments.byTillgateOrder(tillgateOrderId)) ??
    (signer === undefined ? null : await adoptPayment(context, tillgateOrderId, signer));
  if (payment === null)
    throw new ConnectorError("order_not_found", `No order of this store has ${tillgateOrderId}.`);
  const proof = proofOf(settings.credentials, payment.credential, isSignedBy);
  if (proof === "refuse") return { outcome: "refused", reason: "foreign_secret" };
  const fact = proof === "act" ? factOfEvent(event) : await confirmedFact(context, payment, event);
  if (fact === null) return { outcome: "refused", reason: "not_confirmed" };
  await events.receive({ eventId: event.id, event: event.event, tillgateOrderId, body });
  const applied = await withOrderClaim(context, payment.storeOrderId, async (held) => {
    // A replay is asked for where the shop lost what the event did: it is decided again.
    if (!isReplayed && (await events.isDone(event.id))) return null;
    const done = await applyFact(context, held, fact, { replayed: isReplayed });
    await events.done(event.id, done.action);
    return done;
  });
  if (applied === null) return { outcome: "repeated", event: event.event };
  const { action, orderStatus = await orderStatusOf(context, payment.storeOrderId) } = applied;
  return { outcome: "applied", event: event.event, action, orderStatus };
}

/** How the store's order stands, for the answer to Tillgate, which shows it. What was done is durable, so a store that is away now is no failure. */
async function orderStatusOf({ store, log }: ConnectorContext, storeOrderId: number): Promise<string | null> {
  try {
    return (await store.order(storeOrderId))?.status ?? null;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    log.warn({ order: storeOrderId, error: error.message }, "The order's status was not read for the answer");
    return null;
  }
}
