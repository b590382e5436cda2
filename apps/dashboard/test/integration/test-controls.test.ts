import { describe, expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, rejection, success } from "./support/fake-api.js";

const PAGE = `/m/${MERCHANT}/sandbox/test-controls`;
const CONTROLS = `/merchants/${MERCHANT}/sandbox/test/controls`;
const TIME = `/merchants/${MERCHANT}/sandbox/test/time`;
const control = (fields: Record<string, unknown>) => ({
  control_id: "0d1c7a3e-58ab-4a6b-9a50-6c2f2b1f7f10",
  control: "delivery_late",
  left: 3,
  seconds: 45,
  created_at: "2026-11-24T09:30:00+00:00",
  expires_at: "2026-11-24T10:30:00+00:00",
  ...fields,
});

const started = await sharedConsole();
const { api } = started;
const visit = () => new Visitor(started.origin).signedIn();
const sent = () => api.changes().map(({ path, body }) => [path, JSON.parse(body)]);
/** Sets the API's responses for a member with this role and the active controls. */
function inForce(controls: object[] = [], role = "developer"): void {
  api.responses["GET /me"] = me(role);
  api.responses[`GET ${CONTROLS}`] = success({ controls });
}

describe("test controls", () => {
  it("are listed with their description, remaining count, delay and expiry", async () => {
    const twice = { control_id: "0d1c7a3e-58ab-4a6b-9a50-6c2f2b1f7f11", control: "delivery_twice", left: 1 };
    inForce([control({}), control(twice)]);
    const { status, body } = await visit().get(PAGE);
    const rows = [...body.matchAll(/<tr data-row.*?<\/tr>/g)].map(([row]) => row.replace(/<[^>]+>/g, " "));
    expect(status).toBe(200);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(
      /Webhook: delayed by the specified number of seconds\s+3\s+45\s+24 Nov 2026, 10:30 UTC/,
    );
    // This control delays nothing, so its delay is a dash.
    expect(rows[1]).toMatch(/Webhook: delivered twice\s+1\s+–/);
    expect(body).toContain("/docs/operations/decideTestPayout");
  });

  it("are added and cleared", async () => {
    inForce([control({})]);
    api.responses[`POST ${CONTROLS}`] = success(control({}));
    api.responses[`POST ${CONTROLS}/clear`] = success({ cleared: 1 });
    const visitor = visit();
    const ordered = { control: "delivery_late", count: " 3 ", seconds: "45" };
    expect((await visitor.send(PAGE, "order", ordered)).to).toBe(PAGE);
    expect((await visitor.get(PAGE)).body).toContain("Test condition added.");
    expect((await visitor.send(PAGE, "clear", {})).to).toBe(PAGE);
    expect((await visitor.get(PAGE)).body).toContain("1 test condition cleared.");
    expect(sent()).toEqual([
      [CONTROLS, { control: "delivery_late", count: 3, seconds: 45 }],
      [`${CONTROLS}/clear`, {}],
    ]);
  });

  it("report an invalid value next to its field and keep the input", async () => {
    inForce();
    const wrong = "The count field must be a whole number from 1 to 100";
    api.responses[`POST ${CONTROLS}`] = rejection(400, "invalid_fields", { count: [wrong] });
    const typed = { control: "call_timeout", count: "1,5", seconds: "45" };
    const { status, body } = await visit().send(PAGE, "order", typed);
    expect(status).toBe(400);
    expect(body).toMatch(/data-testid="error-count"[^>]*>Enter a whole number from 1 to 100\./);
    expect(body).toMatch(/<option value="call_timeout" selected/);
    for (const kept of ['value="1,5"', 'value="45"']) expect(body).toContain(kept);
    expect(sent()).toEqual([[CONTROLS, { ...typed, seconds: 45 }]]);

    api.responses[`POST ${CONTROLS}`] = rejection(422, "too_many_test_controls");
    expect((await visit().send(PAGE, "order", typed)).body).toContain("reached the limit of test conditions");
    const unknown = await visit().send(PAGE, "order", { ...typed, control: "call_never" });
    expect([unknown.status, unknown.body.includes('data-testid="error-control"')]).toEqual([422, true]);
  });

  it("make an object expire within seconds, or report at the ID field that there is nothing to expire", async () => {
    inForce();
    const typed = { kind: "credential", id: "tg_test_mine", moment: "before_end" };
    const ended = { kind: "credential", id: "tg_test_mine", expires_at: "2026-11-24T10:30:00+00:00" };
    api.responses[`POST ${TIME}`] = success(ended);
    const visitor = visit();
    expect((await visitor.send(PAGE, "bring", typed)).to).toBe(PAGE);
    expect((await visitor.get(PAGE)).body).toContain("It will expire within 10 seconds.");
    expect(sent()).toEqual([[TIME, typed]]);

    api.responses[`POST ${TIME}`] = rejection(404, "nothing_that_ends");
    const { status, body } = await visitor.send(PAGE, "bring", typed);
    expect(status).toBe(404);
    expect(body).toMatch(/data-testid="error-id"[^>]*>There’s nothing to expire with this ID/);
    expect(body).toContain('value="tg_test_mine"');
    expect(body).toMatch(/<option value="before_end" selected/);
    const empty = await visitor.send(PAGE, "bring", { ...typed, id: " " });
    expect(empty.body).toMatch(/data-testid="error-id"[^>]*>This field is required/);
  });

  it.each(["viewer", "finance"])("are read-only for %s", async (role) => {
    inForce([control({})], role);
    const { body } = await visit().get(PAGE);
    expect(body).toContain("Webhook: delayed by the specified number of seconds");
    for (const action of ["order", "clear", "bring"]) expect(body).not.toContain(`data-action="${action}"`);
  });

  it("do not exist in live mode: no page, no navigation entry, and no form that reaches the sandbox", async () => {
    api.responses["GET /me"] = me("owner");
    const live = PAGE.replace("sandbox", "live");
    const visitor = visit();
    const { status, body } = await visitor.get(live);
    expect(status).toBe(404);
    expect(body).toContain(`href="/m/${MERCHANT}/live/developers"`);
    expect(body).not.toContain(`href="${live}"`);
    const form_token = /name="form_token" value="([^"]+)"/.exec(body)?.[1] ?? "";
    expect(form_token).not.toBe("");
    const posted = await visitor.post(live, { form_token, action: "clear" });
    expect(posted.status).toBe(404);
    // The API has no such route.
    expect(sent()).toEqual([[`${CONTROLS}/clear`.replace("sandbox", "live"), {}]]);
    inForce();
    expect((await visitor.get(PAGE)).body).toContain(`href="${PAGE}"`);
  });
});
