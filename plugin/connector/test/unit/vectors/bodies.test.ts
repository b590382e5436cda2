import { parseWebhookEvent, WebhookEventError } from "@tillgate/webhooks";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { isRefundFact, toFact } from "../../../src/payments/facts.js";
import { tryWireAmount } from "../../../src/store/store-amount.js";
import { readVectors } from "./read-vectors.js";

const named = { event_id: z.string(), event: z.string(), tillgate_order: z.string() };
const amount = { amount_minor: z.string().nullable(), currency: z.string() };
const vectors = readVectors(
  "bodies",
  z.strictObject({
    cases: z.array(
      z.strictObject({
        name: z.string(),
        body: z.string(),
        expect: z.discriminatedUnion("kind", [
          z.strictObject({
            kind: z.literal("order"),
            ...named,
            ...amount,
            reference: z.string().nullable(),
            trx_id: z.string().nullable(),
          }),
          z.strictObject({
            kind: z.literal("refund"),
            ...named,
            ...amount,
            trx_id: z.string(),
            refund_id: z.string(),
            refund_status: z.string(),
            reason: z.string().nullable(),
            reference: z.string().nullable(),
          }),
          z.strictObject({ kind: z.literal("ignored") }),
          z.strictObject({ kind: z.literal("unreadable") }),
        ]),
      }),
    ),
  }),
);

const minorText = (minor: bigint | null): string | null => (minor === null ? null : String(minor));

/** Converts an order or refund event to the format of the vectors. */
function factOf(body: string): Record<string, unknown> {
  const event = parseWebhookEvent(body);
  if (event.event === "tillgate.test" || "payout_id" in event || event.event === "report.ready")
    throw new Error(`${event.event} has no order.`);
  const fact = toFact(event);
  const known = { event_id: event.id, event: fact.event, tillgate_order: fact.tillgateOrderId };
  if (isRefundFact(fact)) {
    const { refund_id, status, raw_amount, currency, reason, reference } = fact.refund;
    const amount_minor = minorText(tryWireAmount(raw_amount, currency));
    // An empty reason and a missing one are both "none" in the vectors.
    const words = {
      refund_id,
      refund_status: status,
      amount_minor,
      currency,
      reason: reason || null,
      reference,
    };
    return { kind: "refund", ...known, trx_id: fact.trxId, ...words };
  }
  const { amountMinor, currency, reference, trxId } = fact;
  return {
    kind: "order",
    ...known,
    amount_minor: minorText(amountMinor),
    currency,
    reference,
    trx_id: trxId,
  };
}

const ofKind = (...kinds: string[]) => vectors.cases.filter(({ expect: { kind } }) => kinds.includes(kind));

describe("parseWebhookEvent", () => {
  it.each(ofKind("order", "refund"))("returns the expected event: $name", ({ body, expect: expected }) => {
    expect(factOf(body)).toEqual(expected);
  });

  // The HTTP responses are tested in integration/vectors.test.ts.
  it.each(ofKind("unreadable"))("rejects an unreadable body: $name", ({ body }) => {
    expect(() => parseWebhookEvent(body)).toThrow(WebhookEventError);
  });
});
