import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type Console, startConsole, Visitor } from "./support/console.js";
import { type FakeApi, MERCHANT, me, success } from "./support/fake-api.js";

let started: Console;
let api: FakeApi;
beforeAll(async () => {
  started = await startConsole();
  api = started.api;
});
afterEach(() => {
  api.answers = {};
  api.asked.length = 0;
});
afterAll(() => started.stop());

const PAGE = `/m/${MERCHANT}/sandbox/webhooks/deliveries`;
const RANGE = {
  from: "2026-11-22T00:00",
  to: "2026-11-23T00:00",
  what: "all",
  as_of: "2026-11-23T08:00:00.000Z",
};

function deliveries(role: string): void {
  api.answers["GET /me"] = me(role);
  api.answers[`GET /merchants/${MERCHANT}/sandbox/deliveries`] = success({ deliveries: [], next: null });
}

it("a range is sent again in UTC, and the rest of a long one is one press away, with the same moment", async () => {
  deliveries("developer");
  const path = `/merchants/${MERCHANT}/sandbox/resend`;
  api.answers[`POST ${path}`] = success({ resent: 10_000, skipped: 2, more: true });
  const visitor = new Visitor(started.origin).signedIn();
  const sent = await visitor.send(PAGE, "resend", RANGE);
  expect(sent.status).toBe(303);
  expect(JSON.parse(api.changes()[0]?.body ?? "")).toEqual({
    ...RANGE,
    from: "2026-11-22T00:00:00Z",
    to: "2026-11-23T00:00:00Z",
  });
  const { body } = await visitor.get(sent.to ?? "");
  expect(body).toContain("10,000 deliveries are sent again.");
  expect(body).toContain("2 go to disabled endpoints");
  expect(body).toContain("Send the rest");
  for (const value of Object.values(RANGE)) expect(body).toContain(`value="${value}"`);
  api.answers[`POST ${path}`] = success({ resent: 1, skipped: 0, more: false });
  expect((await visitor.send(PAGE, "resend", RANGE)).to).toBe(PAGE);
});

it("a wrong range is refused at its field, and a viewer has no such form", async () => {
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
