import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, success } from "./support/fake-api.js";

const started = await sharedConsole();
const { api } = started;

const HOME = `/m/${MERCHANT}/sandbox`;
const DEVELOPERS = `${HOME}/developers`;
const credential = (fields: Record<string, unknown>) => ({
  credential_id: randomUUID(),
  kind: "client",
  scope: "pay",
  read_only: false,
  order_only: false,
  reports_only: false,
  name: null,
  created_by: null,
  standing: "active",
  created_at: "2026-11-21T00:00:00+00:00",
  expires_at: null,
  last_used_at: null,
  last_used_address: null,
  sites: [],
  ...fields,
});
const EUR = {
  ...{ currency: "EUR", digits: 2, symbol: "€" },
  ...{ balance: { amount: "0.00", currency: "EUR" }, held: { amount: "0.00", currency: "EUR" } },
};
const RECEIVER = {
  ...{ mode: "sandbox", address: "https://api.example/test-receiver", events: [], state: "active" },
  ...{ disabled_reason: null, disabled_at: null, verified_at: null, last_success_at: null },
  ...{ last_failure_at: null, likely_cause: null, failures_in_row: 0, failing_since: null },
  ...{ previous_secret_expires_at: null, created_at: "2026-11-21T00:00:00+00:00" },
};
const NOTHING = {
  key: false,
  client_id: null,
  endpoint: false,
  order: false,
  order_id: null,
  order_payable: false,
  paid: false,
  delivered: false,
};

/** Opens the home page of a merchant at this stage of the setup. */
async function homeOf(
  setup: Record<string, unknown>,
  visitor = new Visitor(started.origin).signedIn(),
  { factors = {} } = {},
) {
  api.responses["GET /me"] = me("owner", false, factors);
  api.responses[`GET /merchants/${MERCHANT}/sandbox/home`] = success({
    wallets: setup.wallets ?? [],
    sums: [],
    orders: { paid: 0, expired: 0, cancelled: 0, pending: 0 },
    attention: [],
    setup: { ...NOTHING, ...setup },
  });
  return visitor.get(HOME);
}

describe("setup guide", () => {
  it("offers a test receiver, order and payment in the sandbox before it asks for a second factor and a key", async () => {
    const visitor = new Visitor(started.origin).signedIn();
    const noFactor = { factors: { totp: false } };
    const steps = async (setup: object, wallets: object[] = [EUR]) =>
      (await homeOf({ ...setup, wallets }, visitor, noFactor)).body;
    const first = await steps({});
    expect(first).toContain('data-testid="test-receiver"');
    expect(first).toContain("timingSafeEqual");
    expect(first).toContain("data-following");
    // A page with a field must not refresh itself.
    expect(first).not.toContain('http-equiv="refresh"');
    const endpoint = { endpoint: true };
    expect(await steps(endpoint)).toContain('data-testid="test-order"');
    const withoutWallet = await steps(endpoint, []);
    expect(withoutWallet).not.toContain('data-testid="test-order"');
    expect(withoutWallet).toContain(`href="${HOME}/wallets"`);
    const ordered = { ...endpoint, order: true, order_id: "POS-1" };
    const payable = await steps({ ...ordered, order_payable: true });
    expect(payable).toContain(`href="${HOME}/orders/POS-1"`);
    expect(payable).not.toContain('data-testid="test-order"');
    // If the order is no longer payable, the guide offers a new order.
    expect(await steps(ordered)).toContain('value="after POS-1"');
    const delivered = { ...ordered, paid: true, delivered: true };
    const unprotected = await steps(delivered);
    expect(unprotected).toContain(`href="/account?next=${encodeURIComponent(HOME)}#second-factor"`);
    expect(unprotected).not.toContain('data-testid="make-key"');
    const { body } = await homeOf({ ...delivered, wallets: [EUR] }, visitor);
    expect(body).toContain('data-testid="make-key"');
  });

  it("shows snippets with the API's URL and the merchant's client ID", async () => {
    const done = { key: true, client_id: "tg_test_own", endpoint: true, wallets: [EUR] };
    const { body } = await homeOf(done);
    expect(body).toContain("tg_test_own:$TILLGATE_CLIENT_SECRET");
    expect(body).toMatch(/http:\/\/[^<]*\/pay\/sandbox\/api\/v1\/orders/);
  });

  it("adds the test receiver, sends a test event, and opens the endpoint's page with the reason if the event fails", async () => {
    const visitor = new Visitor(started.origin).signedIn();
    await homeOf({}, visitor);
    const edge = `/merchants/${MERCHANT}/sandbox/receivers`;
    const id = "6e35bc83-3ccd-473e-b9c4-160aa69c66c4";
    api.responses[`GET ${edge}`] = success({ receivers: [] });
    api.responses[`POST ${edge}`] = success({ ...RECEIVER, receiver_id: id, secret: "whsec_x" });
    const tried = (delivered: boolean) => {
      api.responses[`POST ${edge}/${id}/test`] = success({
        ...{ delivered, http_status: delivered ? 200 : null, latency_ms: 3, location: null },
        error: delivered ? null : "timeout",
      });
      return visitor.send(HOME, "receiver", {});
    };
    expect((await tried(true)).to).toBe(HOME);
    expect(JSON.parse(api.changes()[0]?.body ?? "")).toMatchObject({
      address: expect.stringMatching(new RegExp(`/test-receiver/${MERCHANT}$`)),
    });
    // A retry tests the existing endpoint again, and its page shows the error.
    const [{ address = "" } = {}] = api.changes().map(({ body }) => JSON.parse(body));
    api.responses[`GET ${edge}`] = success({ receivers: [{ ...RECEIVER, receiver_id: id, address }] });
    const changeCount = () => api.changes().filter(({ path }) => path === edge).length;
    expect((await tried(false)).to).toBe(`${HOME}/webhooks/${id}`);
    expect(changeCount()).toBe(1);
    const { body } = await visitor.get(HOME);
    expect(body).toContain("Test event failed. The endpoint took too long to respond.");
    expect(body).not.toContain("whsec_x");
  });

  it("creates an order in the wallet's currency and opens its page", async () => {
    const visitor = new Visitor(started.origin).signedIn();
    await homeOf({}, visitor);
    const orders = `/merchants/${MERCHANT}/sandbox/test/orders`;
    api.responses[`POST ${orders}`] = success({ order_id: "POS-2" });
    const { to } = await visitor.send(HOME, "order", { currency: "EUR", idempotency_key: "after none" });
    expect(to).toBe(`${HOME}/orders/POS-2`);
    expect(api.changes().map(({ body }) => JSON.parse(body))).toEqual([
      { currency: "EUR", idempotency_key: "after none" },
    ]);
  });

  it("disappears when every step is done", async () => {
    const done = { key: true, client_id: "x", endpoint: true, order: true, paid: true, delivered: true };
    expect((await homeOf(done)).body).not.toContain('data-testid="setup"');
  });

  it("shows a link to the plugin's settings in the owner's WordPress", async () => {
    const visitor = new Visitor(started.origin).signedIn();
    await homeOf({}, visitor);
    const response = await visitor.send(HOME, "wordpress", { shop: "https://shop.example/blog/" });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(HOME);
    const { body } = await visitor.get(HOME);
    expect(body).toContain(
      "https://shop.example/blog/wp-admin/admin.php?page=wc-settings&amp;tab=checkout&amp;section=tillgate&amp;tillgate_connect=http",
    );
  });

  it("shares its WordPress form with the Developers page, which shows the client ID of an active key with full access", async () => {
    const visitor = new Visitor(started.origin).signedIn();
    api.responses["GET /me"] = me();
    const credentials = [
      credential({ client_id: "tg_test_reads", read_only: true }),
      credential({ client_id: "tg_test_gone", standing: "revoked" }),
      credential({ client_id: "tg_test_works" }),
    ];
    api.responses[`GET /merchants/${MERCHANT}/sandbox/credentials`] = success({ credentials });
    const before = await visitor.get(DEVELOPERS);
    expect(before.body).toContain('data-testid="connect-wordpress"');
    expect(before.body).toContain("TILLGATE_CLIENT_ID=tg_test_works TILLGATE_CLIENT_SECRET");
    const response = await visitor.send(DEVELOPERS, "wordpress", { shop: "https://shop.example" });
    expect([response.status, response.headers.get("location")]).toEqual([303, DEVELOPERS]);
    expect((await visitor.get(DEVELOPERS)).body).toContain("https://shop.example/wp-admin/admin.php?");
    const rejected = await visitor.send(DEVELOPERS, "wordpress", { shop: "http://shop.example" });
    expect(rejected.status).toBe(422);
    expect(rejected.body).toContain('data-testid="error-shop"');
  });

  it.each(["http://shop.example", "javascript:alert(1)", "shop.example", ""])(
    "rejects %j as a shop address and keeps the input",
    async (shop) => {
      const visitor = new Visitor(started.origin).signedIn();
      await homeOf({}, visitor);
      const response = await visitor.send(HOME, "wordpress", { shop });
      expect(response.status).toBe(422);
      expect(response.body).toContain('data-testid="error-shop"');
      expect(/<input[^>]* name="shop"[^>]*>/.exec(response.body)?.[0]).toContain(`value="${shop}"`);
    },
  );
});
