import { describe, expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, rejection, success } from "./support/fake-api.js";

const REQUESTS = `/m/${MERCHANT}/sandbox/developers/requests`;
const API = `/merchants/${MERCHANT}/sandbox/requests`;

const started = await sharedConsole();
const { api } = started;
const visit = () => new Visitor(started.origin).signedIn();

const call = {
  entry_id: "7",
  at: "2026-11-23T07:00:00+00:00",
  dropped: 0,
  request_id: "req_1",
  method: "POST",
  path: "/pay/sandbox/api/v1/orders",
  status: 422,
  error_code: "invalid_fields",
  duration_ms: 12,
  credential_id: MERCHANT,
  client_id: "tg_test_1",
  client_address: "192.0.2.7",
};
const gap = Object.fromEntries(Object.entries(call).map(([name]) => [name, null]));

function log(items: object[]): void {
  api.responses["GET /me"] = me("developer");
  api.responses[`GET /merchants/${MERCHANT}/sandbox/credentials`] = success({ credentials: [] });
  api.responses[`GET ${API}`] = success({ items, next: "5", partial: true });
}

describe("request log", () => {
  it("lists calls with their errors, reports requests that weren't logged, and paginates by cursor", async () => {
    log([call, { ...gap, entry_id: "6", at: call.at, dropped: 3 }]);
    const { body } = await visit().get(`${REQUESTS}?status=4xx&path=orders&method=`);
    expect(body).toContain(`href="${REQUESTS}/7"`);
    expect(body).toContain("invalid_fields");
    expect(body).toContain("192.0.2.7");
    expect(body).toContain("3 requests weren’t logged");
    expect(body).toContain("before=5");
    expect(body).toContain("The search stopped early");
    expect(body).toMatch(/name="path"[^>]*value="orders"/);
  });

  it("reports an invalid filter", async () => {
    log([]);
    api.responses[`GET ${API}`] = rejection(400, "invalid_fields", {
      before: ["The before field must be a place"],
    });
    const { status, body } = await visit().get(`${REQUESTS}?before=x`);
    expect(status).toBe(200);
    expect(body).toContain("Please correct: page.");
  });

  it("shows a call with its bodies as plain text, and links to a search for its object", async () => {
    log([]);
    const bodies = { request_body: '{"description":"<script>alert(1)</script>"}', answer_body: '{"cut' };
    api.responses[`GET ${API}/7`] = success({ ...call, mode: "sandbox", about: "ORD-1", ...bodies });
    const { body } = await visit().get(`${REQUESTS}/7`);
    expect(body).toContain("&lt;script&gt;alert(1)");
    expect(body).not.toContain("<script>alert");
    expect(body).toContain("{&quot;cut");
    expect(body).toContain(`href="/m/${MERCHANT}/sandbox/search?q=ORD-1"`);
    api.responses[`GET ${API}/8`] = rejection(404, "api_request_not_found");
    expect((await visit().get(`${REQUESTS}/8`)).status).toBe(404);
  });
});
