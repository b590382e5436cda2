import { beforeAll, expect, it } from "vitest";
import { INTERNAL_KEY } from "../../support/api-process.js";
import { type CheckoutPage, openPage } from "../../support/checkout.js";
import { createOrder, paymentTokenOf } from "../../support/orders.js";
import { addShopper, addWallet, merchantIdOf } from "../../support/parties.js";
import { payApi, send } from "../../support/requests.js";
import { expectIndexScans, recordStatements, type Statement } from "../../support/statements.js";
import { createTestApi } from "../../support/test-api.js";

const ROWS = 20_000;
/** Tables that grow with use. */
const GROWING = [
  ...[
    "accounts",
    "exchange_rates",
    "merchant_branding",
    "merchants",
    "orders",
    "pin_failures",
    "shopper_quotes",
  ],
  ...["wallet_devices", "wallet_passkeys", "wallet_sessions", "wallet_users"],
];

let statements: Statement[];
let page: CheckoutPage;
let dollars: string;

const { sandbox, server } = await createTestApi();
beforeAll(async () => {
  statements = recordStatements(server.context.database);
  const shopper = await addShopper(sandbox, "sandbox", 1_000_000n);
  dollars = await addWallet(sandbox, { id: shopper.id, mode: "sandbox" }, "USD", 1_000_000n);
  const order = await createOrder(payApi(server, sandbox.access.merchant));
  const merchantId = await merchantIdOf(sandbox, sandbox.access.merchant.client_id);
  page = openPage(server, paymentTokenOf(order));
  await page.signIn(shopper.email, shopper.pin);
  await sandbox.plantRows(`
    SET session_replication_role = replica;
    CREATE TEMPORARY TABLE many AS SELECT n, gen_random_uuid() AS id FROM generate_series(1, ${ROWS}) n;
    INSERT INTO merchants (id, name) SELECT id, 'many' FROM many;
    INSERT INTO merchant_branding (merchant_id, accent) SELECT id, '#c2410c' FROM many;
    INSERT INTO wallet_users (id, mode, name, email) SELECT id, 'sandbox', 'many', n || '@many.example' FROM many;
    INSERT INTO accounts (id, mode, currency, kind, wallet_user_id, balance) SELECT id, 'sandbox', 'EUR', 'shopper', id, 0 FROM many;
    INSERT INTO wallet_sessions (id, mode, wallet_user_id, token_hash, expires_at)
      SELECT id, 'sandbox', id, sha256(id::text::bytea), clock_timestamp() + interval '1 hour' FROM many;
    INSERT INTO wallet_devices (id, mode, wallet_user_id, token_hash, expires_at)
      SELECT id, 'sandbox', id, sha256(id::text::bytea), clock_timestamp() + interval '1 hour' FROM many;
    INSERT INTO wallet_passkeys (id, mode, wallet_user_id, credential_id, public_key, counter, transports)
      SELECT id, 'sandbox', id, id::text, ''::bytea, 0, '{}' FROM many;
    INSERT INTO exchange_rates (id, mode, base, quote, rate, effective_from)
      SELECT id, 'sandbox', 'USD', 'EUR', 0.9 + n / 1e9, clock_timestamp() - n * interval '1 hour' FROM many;
    INSERT INTO orders (id, token, mode, merchant_id, credential_id, amount, currency, payment_method, status, state, created_at, expires_at)
      SELECT 'POS-19990101-' || lpad(upper(to_hex(n)), 6, '0'), 'many' || n, 'sandbox', '${merchantId}', o.credential_id, 100, 'EUR', 'both',
        'CANCELLED', 'CANCELLED', clock_timestamp(), clock_timestamp() FROM many, orders o WHERE o.token = '${paymentTokenOf(order)}';
    INSERT INTO shopper_quotes (id, mode, order_id, wallet_user_id, account_id, payer_currency, payer_amount, rate, expires_at)
      SELECT id, 'sandbox', 'POS-19990101-' || lpad(upper(to_hex(n)), 6, '0'), id, id, 'USD', 100, 1, clock_timestamp() FROM many;
    INSERT INTO pin_failures (key, failures, counted_at, locked_until, stale_at)
      SELECT sha256(id::text::bytea), 1, clock_timestamp(), '-infinity', clock_timestamp() + interval '1 day' FROM many;
    ANALYZE;`);
}, 120_000);

/**
 * Expects no sequential scan of a growing table in the statements of `work`.
 * @returns the names of the indexes used
 */
async function indexesOf(work: () => Promise<unknown>): Promise<string> {
  statements.length = 0;
  await work();
  return [...(await expectIndexScans(sandbox.database, [...statements], GROWING)).indexes].join();
}

it("the checkout view recognizes a device without a session in one additional query that uses an index", async () => {
  const returning = openPage(server, page.address.split("/").pop() ?? "");
  returning.device = page.device;
  const indexes = await indexesOf(() => returning.view());
  expect(statements).toHaveLength(2);
  expect(indexes).toContain("wallet_devices_token_hash_wallet_user_id_key");
});

it("the checkout view of a signed-in shopper takes one query that uses indexes", async () => {
  await page.quote(dollars);
  const indexes = await indexesOf(() => page.view());
  expect(statements).toHaveLength(1);
  for (const index of [
    "orders_token_key",
    "wallet_sessions_token_hash_key",
    "wallet_sessions_previous_token_hash_key",
    "accounts_one_per_wallet_user",
    "exchange_rates_mode_base_quote",
    "shopper_quotes_order_id_wallet_user_id_created_at_idx",
  ])
    expect(indexes).toContain(index);
});

it("the checkout view of a visitor takes one query that uses an index", async () => {
  const order = await createOrder(payApi(server, sandbox.access.merchant));
  const stranger = openPage(server, paymentTokenOf(order));
  const indexes = await indexesOf(() => stranger.view());
  expect(statements).toHaveLength(1);
  expect(indexes).toContain("orders_token_key");
});

it("reading the order status that the payment page polls takes one query that uses one index", async () => {
  const indexes = await indexesOf(() =>
    send(`${page.address}/status`, {
      headers: { ...page.headers(), "x-tillgate-internal-key": INTERNAL_KEY },
    }),
  );
  expect(statements).toHaveLength(1);
  expect(indexes).toBe("orders_token_key");
});

it("a quote and a payment at the checkout scan no growing table sequentially", async () => {
  await indexesOf(async () => {
    const { quote_id } = await page.quote(dollars);
    expect((await page.pay({ quote_id, pin: "407193" })).status).toBe(200);
  });
});
