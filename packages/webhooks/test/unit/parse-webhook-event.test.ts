import { describe, expect, it } from "vitest";
import { parseWebhookEvent, WebhookEventError } from "../../src/index.js";

const orderPaid = {
  id: "evt_0123456789abcdefghij",
  event: "pos.order.paid",
  timestamp: "2026-11-21T10:00:00+00:00",
  data: {
    order_id: "POS-20261121-ABC234",
    amount: 41.5,
    currency: "EUR",
    status: "PAID",
    reference: null,
    terminal_id: null,
    trx_id: "TRX-123456789012",
    paid_at: "2026-11-21T10:00:00+00:00",
    order_number: null,
    custom: null,
    refunded_amount: 0,
    metadata: null,
    version: 2,
  },
};

function rejection(body: string): WebhookEventError {
  try {
    parseWebhookEvent(body);
  } catch (error) {
    if (error instanceof WebhookEventError) return error;
    throw error;
  }
  throw new Error("The body was accepted.");
}

describe("parseWebhookEvent", () => {
  it("returns an event typed by its name", () => {
    const event = parseWebhookEvent(JSON.stringify(orderPaid));
    expect(event).toEqual(orderPaid);
    expect(event.event === "pos.order.paid" && event.data.order_id).toBe("POS-20261121-ABC234");
  });

  it("accepts unknown fields from a newer sender", () => {
    expect(() => parseWebhookEvent(JSON.stringify({ ...orderPaid, added_later: 1 }))).not.toThrow();
  });

  it("reports the name of an unknown event, so that a receiver can acknowledge it", () => {
    const error = rejection(JSON.stringify({ ...orderPaid, event: "pos.order.archived" }));
    expect([error.event, error.isUnknownEvent]).toEqual(["pos.order.archived", true]);
    expect(error.message).toBe("This version does not know the event pos.order.archived.");
  });

  it("reports a missing field", () => {
    const { amount: _amount, ...data } = orderPaid.data;
    const error = rejection(JSON.stringify({ ...orderPaid, data }));
    expect([error.event, error.isUnknownEvent]).toEqual(["pos.order.paid", false]);
    expect(error).toMatchObject({
      name: "WebhookEventError",
      message: "The webhook body of pos.order.paid is not a valid event.",
      problems: [expect.stringMatching(/^data\.amount: /)],
    });
  });

  it.each(["null", "[]", '"text"', "{}", '{"event":5}'])("rejects %j, which has no event name", (body) => {
    const error = rejection(body);
    expect([error.event, error.isUnknownEvent]).toEqual([undefined, false]);
    expect(error.message).toBe("The webhook body is not a valid event.");
    expect(error.problems).not.toEqual([]);
  });

  it("reports a body that is not an object as a problem of the body", () => {
    expect(rejection("null").problems).toEqual([expect.stringMatching(/^body: /)]);
  });

  it.each(["", "{"])("rejects %j, which is not JSON, with the parser's error as the cause", (body) => {
    expect(rejection(body)).toMatchObject({
      message: "The webhook body is not JSON.",
      event: undefined,
      problems: [],
      cause: expect.any(SyntaxError),
      isUnknownEvent: false,
    });
  });
});
