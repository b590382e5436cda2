import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { consoleOfFile, Visitor } from "./support/console.js";
import { MERCHANT, me, success } from "./support/fake-api.js";

const started = await consoleOfFile();
const { api } = started;

const HOME = `/m/${MERCHANT}/sandbox`;
const DEVELOPERS = `${HOME}/developers`;
const credential = (fields: Record<string, unknown>) => ({
  credential_id: randomUUID(),
  kind: "client",
  scope: "pay",
  read_only: false,
  order_only: false,
  name: null,
  created_by: null,
  standing: "active",
  created_at: "2026-11-21T00:00:00+00:00",
  expires_at: null,
  last_used_at: null,
  last_used_address: null,
  ...fields,
});
const NOTHING = {
  key: false,
  client_id: null,
  endpoint: false,
  order: false,
  order_id: null,
  paid: false,
  delivered: false,
};

/** The home of a merchant that has come so far. */
async function homeOf(setup: Record<string, unknown>, visitor = new Visitor(started.origin).signedIn()) {
  api.answers["GET /me"] = me();
  api.answers[`GET /merchants/${MERCHANT}/sandbox/home`] = success({
    wallets: [],
    sums: [],
    orders: { paid: 0, expired: 0, cancelled: 0, pending: 0 },
    attention: [],
    setup: { ...NOTHING, ...setup },
  });
  return visitor.get(HOME);
}

describe("the way to a first sale", () => {
  it("shows the lines to paste at the next step, with the merchant's own address and client id", async () => {
    const id = { key: true, client_id: "tg_test_own" };
    expect((await homeOf({})).body).not.toContain("setup-order");
    expect((await homeOf(id)).body).toContain("timingSafeEqual");
    const { body } = await homeOf({ ...id, endpoint: true });
    expect(body).toContain("tg_test_own:$TILLGATE_CLIENT_SECRET");
    expect(body).toMatch(/http:\/\/[^<]*\/pay\/sandbox\/api\/v1\/orders/);
    // An order needs a wallet.
    expect(body).toContain(`href="${HOME}/wallets"`);
    expect(body).toContain("data-following");
    // A page with a field must not load again under its reader.
    expect(body).not.toContain('http-equiv="refresh"');
  });

  it("leads from the first order to its page, where it is paid and its webhook is seen", async () => {
    const made = { key: true, client_id: "x", endpoint: true, order: true, order_id: "POS-1" };
    expect((await homeOf(made)).body).toContain(`href="${HOME}/orders/POS-1"`);
  });

  it("is gone when all of it is done", async () => {
    const done = { key: true, client_id: "x", endpoint: true, order: true, paid: true, delivered: true };
    expect((await homeOf(done)).body).not.toContain('data-testid="setup"');
  });

  it("makes the link to the plugin's settings, for the owner to press", async () => {
    const visitor = new Visitor(started.origin).signedIn();
    await homeOf({}, visitor);
    const answer = await visitor.send(HOME, "wordpress", { shop: "https://shop.example/blog/" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(HOME);
    const { body } = await visitor.get(HOME);
    expect(body).toContain(
      "https://shop.example/blog/wp-admin/admin.php?page=wc-settings&amp;tab=checkout&amp;section=tillgate&amp;tillgate_connect=http",
    );
  });

  it("stands under Developers too, which stay when the way to a first sale is gone", async () => {
    const visitor = new Visitor(started.origin).signedIn();
    api.answers["GET /me"] = me();
    const credentials = [
      credential({ client_id: "tg_test_reads", read_only: true }),
      credential({ client_id: "tg_test_gone", standing: "revoked" }),
      credential({ client_id: "tg_test_works" }),
    ];
    api.answers[`GET /merchants/${MERCHANT}/sandbox/credentials`] = success({ credentials });
    const before = await visitor.get(DEVELOPERS);
    expect(before.body).toContain('data-testid="connect-wordpress"');
    expect(before.body).toContain("TILLGATE_CLIENT_ID=tg_test_works TILLGATE_CLIENT_SECRET");
    const answer = await visitor.send(DEVELOPERS, "wordpress", { shop: "https://shop.example" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, DEVELOPERS]);
    expect((await visitor.get(DEVELOPERS)).body).toContain("https://shop.example/wp-admin/admin.php?");
    const refused = await visitor.send(DEVELOPERS, "wordpress", { shop: "http://shop.example" });
    expect(refused.status).toBe(422);
    expect(refused.body).toContain('data-testid="error-shop"');
  });

  it.each(["http://shop.example", "javascript:alert(1)", "shop.example", ""])(
    "refuses %j as a shop's address, and keeps what was typed",
    async (shop) => {
      const visitor = new Visitor(started.origin).signedIn();
      await homeOf({}, visitor);
      const answer = await visitor.send(HOME, "wordpress", { shop });
      expect(answer.status).toBe(422);
      expect(answer.body).toContain('data-testid="error-shop"');
    },
  );
});
