import { givenUpReason } from "@tillgate/contract";
import { expect, it } from "vitest";
import { en } from "../../src/texts/en.js";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, success } from "./support/fake-api.js";

const started = await sharedConsole();
const { api } = started;

const PAGE = `/m/${MERCHANT}/sandbox/webhooks/deliveries`;
const RANGE = {
  from: "2026-11-22T00:00",
  to: "2026-11-23T00:00",
  what: "all",
  as_of: "2026-11-23T08:00:00.000Z",
};

function deliveries(role: string): void {
  api.responses["GET /me"] = me(role);
  api.responses[`GET /merchants/${MERCHANT}/sandbox/deliveries`] = success({ deliveries: [], next: null });
}

/** Serves an endpoint without deliveries or replays, active unless `known` says otherwise. @returns its path in the API. */
function endpoint(id: string, known: object = {}): string {
  const path = `/merchants/${MERCHANT}/sandbox/receivers/${id}`;
  api.responses["GET /me"] = me("developer");
  const receiver = {
    ...{ receiver_id: id, mode: "sandbox", address: "https://shop.example/hook", events: ["pos.order.paid"] },
    ...{
      state: "active",
      disabled_reason: null,
      disabled_at: null,
      verified_at: null,
      last_success_at: null,
    },
    ...{ last_failure_at: null, likely_cause: null, failures_in_row: 0, failing_since: null },
    ...{ previous_secret_expires_at: null, created_at: "2026-11-22T08:00:00+00:00" },
    ...known,
  };
  api.responses[`GET ${path}`] = success(receiver);
  api.responses[`GET /merchants/${MERCHANT}/sandbox/receivers`] = success({ receivers: [receiver] });
  api.responses[`GET ${path}/deliveries`] = success({ deliveries: [], next: null });
  api.responses[`GET ${path}/replays`] = success({ replays: [], next_cursor: null });
  return path;
}

it("resending a date range uses UTC if no time zone is known, and a large range can be continued with the same range and cutoff time", async () => {
  deliveries("developer");
  const path = `/merchants/${MERCHANT}/sandbox/resend`;
  api.responses[`POST ${path}`] = success({ resent: 10_000, skipped: 2, more: true });
  const visitor = new Visitor(started.origin).signedIn();
  const sent = await visitor.send(PAGE, "resend", RANGE);
  expect(sent.status).toBe(303);
  expect(JSON.parse(api.changes()[0]?.body ?? "")).toEqual({
    ...RANGE,
    from: "2026-11-22T00:00:00.000Z",
    to: "2026-11-23T00:00:00.000Z",
  });
  const { body } = await visitor.get(sent.to ?? "");
  expect(body).toContain("Resending 10,000 deliveries.");
  expect(body).toContain("2 were skipped");
  expect(body).toContain("Resend the rest");
  for (const value of Object.values(RANGE)) expect(body).toContain(`value="${value}"`);
  api.responses[`POST ${path}`] = success({ resent: 1, skipped: 0, more: false });
  expect((await visitor.send(PAGE, "resend", RANGE)).to).toBe(PAGE);
});

it("an invalid date range for a resend is reported next to its field, and a viewer has no resend form", async () => {
  deliveries("developer");
  const visitor = new Visitor(started.origin).signedIn();
  for (const [field, value] of [
    ["from", "yesterday"],
    ["to", RANGE.from],
  ] as const) {
    const { status, body } = await visitor.send(PAGE, "resend", { ...RANGE, [field]: value });
    expect([status, body.includes(`data-testid="error-${field}"`)]).toEqual([422, true]);
  }
  expect(api.changes()).toEqual([]);
  deliveries("viewer");
  const { body } = await visitor.get(PAGE);
  expect(body).not.toContain('data-action="resend"');
  expect(body).toContain("Refresh");
});

it.each([
  ["active", 0, "active"],
  ["active", 1, "failing"],
  ["paused", 1, "paused"],
  ["disabled", 24, "disabled"],
])(
  "an endpoint that is %s after %i failures has the status %s in the list and on its page",
  async (state, failures, status) => {
    const id = "0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e22";
    endpoint(id, { state, failures_in_row: failures });
    const visitor = new Visitor(started.origin).signedIn();
    for (const page of ["", `/${id}`])
      expect((await visitor.get(`/m/${MERCHANT}/sandbox/webhooks${page}`)).body).toContain(
        `data-status="${status}"`,
      );
  },
);

it("a stopped replay links to the failed delivery, and a running replay does not", async () => {
  const id = "0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e22";
  const path = endpoint(id);
  const [stopping, running] = [
    "0c2b8a52-3e3c-4f77-8d0a-9b1a2c3d4e5f",
    "0c2b8a52-3e3c-4f77-8d0a-9b1a2c3d4e60",
  ];
  const replay = (delivery_id: string, state: string) => ({
    ...{
      replay_id: delivery_id,
      endpoint_id: id,
      callback_url: null,
      events: ["pos.order.paid"],
      skip_failed: false,
    },
    ...{ from: "2026-11-20T08:00:00+00:00", to: "2026-11-21T08:00:00+00:00", state, delivery_id },
    ...{ total: 3, sent: 1, failed: 0, cursor: null, event_id: "evt_1" },
    ...{ created_at: "2026-11-22T08:00:00+00:00", ended_at: null },
  });
  api.responses[`GET ${path}/replays`] = success({
    replays: [replay(stopping, "stopped"), replay(running, "running")],
    next_cursor: null,
  });
  const { body } = await new Visitor(started.origin).signedIn().get(`/m/${MERCHANT}/sandbox/webhooks/${id}`);
  expect(body).toMatch(new RegExp(`href="${PAGE}/${stopping}"[^>]*>Failed delivery<`));
  expect(body).not.toContain(`${PAGE}/${running}`);
});

it("missed events are counted on request, and backfilled for the counted range", async () => {
  const id = "0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e22";
  const path = endpoint(id);
  const page = `/m/${MERCHANT}/sandbox/webhooks/${id}`;
  const range = { first: "2026-11-20T08:00:00+00:00", last: "2026-11-21T09:30:00+00:00" };
  api.responses[`GET ${path}/missed`] = success({ never_sent: 2, given_up: 1, ...range, more: false });
  const visitor = new Visitor(started.origin).signedIn();
  expect((await visitor.get(page)).body).toContain(`href="${page}?missed=1"`);
  expect(api.requests.map((query) => query.path)).not.toContain(`${path}/missed`);
  const { body } = await visitor.get(`${page}?missed=1`);
  expect(body).toContain("Missed events (3)");
  expect(body).toContain(`name="to" value="${range.last}"`);

  api.responses[`POST ${path}/send-missed`] = success({ sent: 3, more: false });
  const { status } = await visitor.send(page, "missed", { from: range.first, to: range.last });
  expect(status).toBe(303);
  expect(JSON.parse(api.changes()[0]?.body ?? "")).toEqual({
    from: "2026-11-20T08:00:00.000Z",
    to: "2026-11-21T09:30:01.000Z",
  });
  expect((await visitor.get(page)).body).toContain("Sending 3 events.");
  expect((await visitor.send(page, "missed", { from: "then", to: "now" })).status).toBe(422);
});

it.each(givenUpReason.options)(
  "the delivery page explains why a delivery failed instead of showing the code %s",
  async (reason) => {
    api.responses["GET /me"] = me("developer");
    const delivery = {
      ...{ delivery_id: "0c2b8a52-3e3c-4f77-8d0a-9b1a2c3d4e5f", event_id: "evt_1", event: "pos.order.paid" },
      ...{ receiver_id: null, address: "https://shop.example/hook", status: "failed", attempts: 0 },
      ...{ given_up_because: reason, next_attempt_at: null, history: [] },
      ...{ created_at: "2026-11-22T08:00:00+00:00", settled_at: "2026-11-22T08:00:00+00:00" },
    };
    const path = `/merchants/${MERCHANT}/sandbox`;
    api.responses[`GET ${path}/deliveries/${delivery.delivery_id}`] = success(delivery);
    api.responses[`GET ${path}/events/evt_1`] = success({
      ...{ id: "evt_1", event: delivery.event, order_id: null, created_at: delivery.created_at },
      ...{ body: "{}", deliveries: [] },
    });
    const { body } = await new Visitor(started.origin).signedIn().get(`${PAGE}/${delivery.delivery_id}`);
    expect(body).toContain(en[`delivery.reason.${reason}`]);
    expect(body).not.toContain(reason);
  },
);
