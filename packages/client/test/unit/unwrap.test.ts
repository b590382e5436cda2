import { parseWhsecKey, rawKey, signWebhook, type WebhookKey } from "@tillgate/webhooks";
import { describe, expect, it } from "vitest";
import { createPayClient, TillgateWebhookError, type UnwrapOptions } from "../../src/index.js";

const clientSecret = "tgs_test_0d9f6b1f7c5e4a3b8d2c1e0f9a8b7c6d";
const WHSEC = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const NOW = 1_795_255_361;
const { webhooks } = createPayClient({
  ...{ baseUrl: "http://localhost:4000", mode: "sandbox", clientId: "tg_test_1" },
  clientSecret,
});
const ID = "evt_9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d";
const bodyOf = (event: string, data: object = {}) =>
  JSON.stringify({ id: ID, event, timestamp: "2026-11-21T09:31:12+00:00", data });
const PAID = bodyOf("pos.order.paid", {
  ...{ order_id: "POS-20261121-7KQ2MX", amount: 41.5, currency: "EUR", status: "PAID", reference: null },
  ...{
    terminal_id: null,
    trx_id: "TRX-482913750264",
    paid_at: "2026-11-21T09:31:12+00:00",
    order_number: null,
  },
  ...{ custom: null, refunded_amount: 0, version: 2, metadata: null },
});

function sent(
  body: string,
  {
    at = NOW,
    key = rawKey(clientSecret),
    replayId,
  }: { at?: number; key?: WebhookKey; replayId?: string } = {},
) {
  const headers = signWebhook({
    id: ID,
    event: "pos.order.paid",
    timestampSeconds: at,
    body,
    keys: [key],
    replayId,
  });
  return { headers: { ...headers }, body };
}
const unwrap = (received: Parameters<typeof webhooks.unwrap>[0], options: UnwrapOptions = {}) =>
  webhooks.unwrap(received, { nowSeconds: NOW, ...options });
function failure(work: () => unknown): TillgateWebhookError {
  try {
    work();
  } catch (error) {
    if (error instanceof TillgateWebhookError) return error;
    throw error;
  }
  throw new Error("unwrap did not throw a TillgateWebhookError.");
}

describe("unwrap", () => {
  it("returns the typed event of a genuine body, whether the body is text or bytes", () => {
    const { headers, body } = sent(PAID);
    for (const one of [body, new TextEncoder().encode(body)]) {
      const event = unwrap({ headers, body: one });
      if (event.event !== "pos.order.paid") throw new Error(event.event);
      expect([event.id, event.data.amount, event.data.trx_id]).toEqual([ID, 41.5, "TRX-482913750264"]);
    }
  });

  it("accepts one or several given secrets instead of the client's own", () => {
    const received = sent(PAID, { key: parseWhsecKey(WHSEC) });
    expect(failure(() => unwrap(received)).reason).toBe("bad_signature");
    expect(unwrap(received, { secrets: [WHSEC] }).id).toBe(ID);
    expect(unwrap(received, { secrets: [clientSecret, WHSEC] }).id).toBe(ID);
    expect(failure(() => unwrap(sent(PAID), { secrets: [WHSEC] })).reason).toBe("bad_signature");
  });

  it("rejects a forged, unsigned or stale webhook with 401, using the local clock unless a time is given", () => {
    const { headers, body } = sent(PAID);
    const changed = { headers, body: body.replace("41.5", "41.6") };
    expect(failure(() => unwrap(changed))).toMatchObject({ reason: "bad_signature", status: 401 });
    const unsigned = { ...headers, "webhook-signature": "" };
    expect(failure(() => unwrap({ headers: unsigned, body }))).toMatchObject({
      ...{ reason: "missing_header", status: 401 },
    });
    for (const [at, side] of [
      [NOW - 301, "301 s behind"],
      [NOW + 301, "301 s ahead of"],
    ] as const) {
      const message = expect.stringContaining(`is ${side} the local clock; at most 300 s`);
      expect(failure(() => unwrap(sent(PAID, { at })))).toMatchObject({
        reason: "stale",
        status: 401,
        message,
      });
    }
    expect(unwrap(sent(PAID, { at: NOW - 301 }), { toleranceSeconds: 301 }).id).toBe(ID);
    expect(webhooks.unwrap(sent(PAID, { at: Math.floor(Date.now() / 1_000) })).id).toBe(ID);
    expect(failure(() => webhooks.unwrap(sent(PAID, { at: 1_000 }))).reason).toBe("stale");
  });

  it("distinguishes an unknown event from an unreadable body", () => {
    const later = failure(() => unwrap(sent(bodyOf("pos.order.split"))));
    expect(later).toMatchObject({ reason: "unknown_event", status: 200 });
    for (const body of ["{", bodyOf("pos.order.paid"), "[]"])
      expect(failure(() => unwrap(sent(body)))).toMatchObject({ reason: "unreadable", status: 500 });
  });

  it("keeps the secret out of the error for an unreadable body", () => {
    expect(String(failure(() => unwrap(sent("{"))))).not.toContain(clientSecret);
  });
});

it("replayIdOf returns only an ID that is signed for this webhook with an accepted secret", () => {
  const { headers } = sent("{");
  const replayed = sent("{", { replayId: "a" }).headers;
  expect(webhooks.replayIdOf({ headers })).toBeUndefined();
  expect(webhooks.replayIdOf({ headers: { ...headers, "X-Tillgate-Replay": "a" } })).toBeUndefined();
  expect(webhooks.replayIdOf({ headers: replayed })).toBe("a");
  expect(webhooks.replayIdOf({ headers: { ...replayed, "webhook-id": "evt_2" } })).toBeUndefined();
  expect(webhooks.replayIdOf({ headers: replayed }, { secrets: ["another"] })).toBeUndefined();
});
