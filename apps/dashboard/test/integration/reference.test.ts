import { expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, success } from "./support/fake-api.js";

const started = await sharedConsole();
const { api } = started;

const credential = {
  credential_id: MERCHANT,
  kind: "client",
  scope: "pay",
  client_id: "tg_test_mine",
  read_only: false,
  order_only: false,
  reports_only: false,
  name: null,
  created_by: null,
  standing: "active",
  created_at: "2026-01-01T00:00:00+00:00",
  expires_at: null,
  last_used_at: null,
  last_used_address: null,
  sites: [],
};

it("the API reference contains the merchant's client ID, and a new key's secret once", async () => {
  const credentials = `/merchants/${MERCHANT}/sandbox/credentials`;
  api.responses["GET /me"] = me("developer", true);
  api.responses[`GET ${credentials}`] = success({ credentials: [credential] });
  const created = {
    credential_id: MERCHANT,
    kind: "client",
    client_id: "tg_test_new",
    secret: "tgs_test_shown_once",
  };
  api.responses[`POST ${credentials}`] = success({ ...created, old_secret_expires_at: null });
  const page = `/m/${MERCHANT}/sandbox/developers/reference`;
  const visitor = new Visitor(started.origin).signedIn();
  const { body } = await visitor.get(page);
  expect(body).toContain("tg_test_mine:CLIENT_SECRET");
  expect((await visitor.send(page, "try", {})).to).toBe(page);
  expect((await visitor.get(page)).body).toContain("tg_test_new:tgs_test_shown_once");
  expect((await visitor.get(page)).body).not.toContain("tgs_test_shown_once");
  expect(started.written()).not.toContain("tgs_test_shown_once");

  api.responses[`GET /merchants/${MERCHANT}/live/credentials`] = success({ credentials: [] });
  const live = (await visitor.get(page.replace("sandbox", "live"))).body;
  expect(live).toContain("CLIENT_ID:CLIENT_SECRET");
  expect(live).not.toContain('data-action="try"');
});
