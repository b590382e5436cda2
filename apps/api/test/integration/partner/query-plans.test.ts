import { beforeAll, describe, expect, it } from "vitest";
import {
  addPartner,
  addRecipient,
  COMPLETED,
  lookUpRecipient,
  type Partner,
  type PartnerApi,
  partnerApi,
  type Recipient,
  readPayout,
  readQuote,
} from "../../support/partner.js";
import { expectIndexScans, recordStatements, type Statement } from "../../support/statements.js";
import { createTestSandbox } from "../../support/test-api.js";

const ROWS = 20_000;
/** Tables that grow with use. */
const GROWING = [
  "accounts",
  "credentials",
  "exchange_rates",
  "idempotency_keys",
  "lookup_tokens",
  "merchants",
  "payouts",
  "quotes",
  "wallet_users",
];

let partner: Partner;
let api: PartnerApi;
let recipient: Recipient;
let statements: Statement[];

const sandbox = await createTestSandbox();
beforeAll(async () => {
  const server = await sandbox.startApi();
  statements = recordStatements(server.context.database);
  partner = await addPartner(sandbox, { wallets: { EUR: 100_000n } });
  recipient = await addRecipient(sandbox, { EUR: 0n, XAF: 0n });
  api = partnerApi(server, partner.token);
  await sandbox.plantRows(`
    SET session_replication_role = replica;
    CREATE TEMPORARY TABLE many AS SELECT n, gen_random_uuid() AS id FROM generate_series(1, ${ROWS}) n;
    INSERT INTO merchants (id, name) SELECT id, 'many' FROM many;
    INSERT INTO credentials (id, merchant_id, mode, kind, secret_hash) SELECT id, id, 'sandbox', 'api_token', sha256(id::text::bytea) FROM many;
    INSERT INTO wallet_users (id, mode, name, email) SELECT id, 'sandbox', 'many', n || '@many.example' FROM many;
    INSERT INTO accounts (id, mode, currency, kind, merchant_id, balance) SELECT id, 'sandbox', 'EUR', 'merchant', id, 0 FROM many;
    INSERT INTO accounts (id, mode, currency, kind, merchant_id, balance) SELECT gen_random_uuid(), 'sandbox', 'EUR', 'hold', id, 0 FROM many;
    INSERT INTO accounts (id, mode, currency, kind, wallet_user_id, balance) SELECT gen_random_uuid(), 'sandbox', 'EUR', 'shopper', id, 0 FROM many;
    INSERT INTO lookup_tokens (id, merchant_id, mode, wallet_user_id) SELECT id, '${partner.merchantId}', 'sandbox', id FROM many;
    INSERT INTO quotes (id, merchant_id, mode, wallet_user_id, amount, sender_currency, fee, rate, receiver_amount, receiver_currency)
      SELECT id, '${partner.merchantId}', 'sandbox', id, 1, 'EUR', 0, 1, 1, 'EUR' FROM many;
    INSERT INTO exchange_rates (id, mode, base, quote, rate, effective_from)
      SELECT id, 'sandbox', 'EUR', 'XAF', 655 + n / 1e6, clock_timestamp() - n * interval '1 hour' FROM many;
    INSERT INTO idempotency_keys (merchant_id, mode, operation, key, request_hash, resource_id)
      SELECT '${partner.merchantId}', 'sandbox', 'execute_payout', 'many ' || n, '', 'x' FROM many;
    INSERT INTO payouts (id, mode, merchant_id, reference, wallet_user_id, recipient_account_id, amount, sender_currency, fee, rate,
        receiver_amount, receiver_currency, status, trx_id, transfer_id, processed_at)
      SELECT 'POMANY' || n, 'sandbox', '${partner.merchantId}', 'many ' || n, id, id, 1, 'EUR', 0, 1, 1, 'EUR', 'completed', 'PPMANY' || n,
        id, clock_timestamp() FROM many;
    ANALYZE;`);
}, 120_000);

/**
 * Expects no sequential scan of a growing table in the statements of `work`.
 * @returns the names of the indexes used
 */
async function indexesOf(work: () => Promise<unknown>): Promise<Set<string>> {
  statements.length = 0;
  await work();
  expect(statements.length).toBeGreaterThan(0);
  return (await expectIndexScans(sandbox.database, [...statements], GROWING)).indexes;
}

describe(`Partner API with ${ROWS.toLocaleString("en")} rows in each of its growing tables uses an index for`, () => {
  it("lookup, quote, payout with and without a quote, a retry, status and balance", async () => {
    let lookup_token = "";
    expect(
      await indexesOf(async () => {
        lookup_token = await lookUpRecipient(api, recipient);
      }),
    ).toContain("credentials_secret_hash_key");
    const terms = { lookup_token, amount: 1, sender_currency: "EUR", receiver_currency: "XAF" };
    let quote_id = "";
    const quoting = await indexesOf(async () => {
      ({ quote_id } = readQuote(await api.post("/quote", terms)));
    });
    expect(quoting).toContain("lookup_tokens_pkey");
    expect([...quoting].join()).toContain("exchange_rates_mode_base_quote");
    const direct = { ...terms, reference: "direct", idempotency_key: "direct" };
    let id = "";
    const paying = await indexesOf(async () => {
      id = readPayout(await api.post("/payout", direct), COMPLETED).payout_id;
    });
    expect(paying).toContain("payouts_merchant_id_mode_reference_key");
    expect(paying).toContain("idempotency_keys_pkey");
    const byQuote = { quote_id, reference: "by quote", idempotency_key: "by quote" };
    const byQuoteIndexes = await indexesOf(async () =>
      readPayout(await api.post("/payout", byQuote), COMPLETED),
    );
    expect([...byQuoteIndexes].join()).toMatch(/quotes_(pkey|id_mode_key)/);
    // Either of the keys that start with the ID.
    const byId = /payouts_(pkey|id_merchant_id_mode_key)/;
    expect([...(await indexesOf(() => api.post("/payout", direct)))].join()).toMatch(byId);
    expect([...(await indexesOf(() => api.get(`/payout/${id}`)))].join()).toMatch(byId);
    expect([...(await indexesOf(() => api.get("/balance")))].join()).toContain("accounts_one_per_merchant");
  });

  it("the administrators' list of pending payouts", async () => {
    const text = "SELECT id FROM payouts WHERE status = 'pending' ORDER BY created_at LIMIT 20";
    const { indexes } = await expectIndexScans(sandbox.database, [{ text, values: [] }], GROWING);
    expect(indexes).toContain("payouts_pending");
  });
});
