import { expect, it } from "vitest";
import { type Row, useTableCopies } from "../table-copy.js";

const UNIQUE_VIOLATION = "23505";
const ID = "00000000-0000-4000-8000-000000000001";
const MODE = { mode: "live" };
const OF_MERCHANT = { merchant_id: ID, ...MODE };

/** What may exist only once: the table, the index, and a row. Columns that are not named are null. */
const ONCE: [what: string, table: string, index: string, row: Row][] = [
  [
    "house account of the same kind and currency",
    "accounts",
    "accounts_one_per_house",
    { ...MODE, currency: "EUR", kind: "fees" },
  ],
  [
    "wallet of a merchant in the same currency",
    "accounts",
    "accounts_one_per_merchant",
    { ...OF_MERCHANT, currency: "EUR", kind: "merchant" },
  ],
  [
    "wallet of a shopper in the same currency",
    "accounts",
    "accounts_one_per_wallet_user",
    { wallet_user_id: ID, currency: "EUR" },
  ],
  [
    "pending request for the same e-mail address",
    "administrator_requests",
    "administrator_requests_one_per_email",
    { email: "a@b.c", status: "pending" },
  ],
  [
    "pending request for the limit of a currency",
    "approval_requests",
    "approval_requests_one_limit",
    { currency: "EUR", kind: "single_limit", status: "pending" },
  ],
  [
    "approval request with the same reference",
    "approval_requests",
    "approval_requests_one_per_reference",
    { ...MODE, external_reference: "x", status: "approved" },
  ],
  [
    "approval request with the same transfer",
    "approval_requests",
    "approval_requests_one_per_transfer",
    { transfer_id: ID },
  ],
  [
    "attempt with the same number",
    "attempts",
    "attempts_delivery_id_number_key",
    { delivery_id: ID, number: 1 },
  ],
  [
    "audit record of a merchant with the same number",
    "audit_records",
    "audit_records_one_chain",
    { merchant_id: ID, number: 1 },
  ],
  [
    "audit record of the platform with the same number",
    "audit_records",
    "audit_records_one_house_chain",
    { number: 1 },
  ],
  [
    "console link with the same token",
    "console_links",
    "console_links_token_hash_key",
    { token_hash: "\\x00" },
  ],
  [
    "console passkey with the same credential ID",
    "console_passkeys",
    "console_passkeys_credential_id_key",
    { credential_id: "c" },
  ],
  [
    "console session with the same token",
    "console_sessions",
    "console_sessions_token_hash_key",
    { token_hash: "\\x00" },
  ],
  [
    "console user with the same e-mail address",
    "console_users",
    "console_users_email_key",
    { email: "a@b.c" },
  ],
  [
    "view with the same name",
    "console_views",
    "console_views_user_id_merchant_id_mode_list_name_key",
    { user_id: ID, ...OF_MERCHANT, list: "orders", name: "x" },
  ],
  ["conversion with the same transfer", "conversions", "conversions_transfer_id_key", { transfer_id: ID }],
  [
    "console credential of a merchant",
    "credentials",
    "credentials_one_for_the_console",
    { ...OF_MERCHANT, kind: "console" },
  ],
  ["non-expiring secret of a client", "credentials", "credentials_one_lasting_secret", { client_id: "c" }],
  [
    "successor of a credential",
    "credentials",
    "credentials_replaces_id_merchant_id_mode_key",
    { replaces_id: ID, ...OF_MERCHANT },
  ],
  ["credential with the same secret", "credentials", "credentials_secret_hash_key", { secret_hash: "\\x00" }],
  [
    "delivery of the same event to the same endpoint",
    "deliveries",
    "deliveries_one_an_endpoint",
    { receiver_id: ID, event_id: "e" },
  ],
  [
    "digest to the same address",
    "digest_mails",
    "digest_mails_topic_about_address_key",
    { topic: "summary", about: "x", address: "a@b.c" },
  ],
  [
    "event with the same name for an order",
    "events",
    "events_once_per_order",
    { order_id: "o", name: "pos.order.paid" },
  ],
  [
    "event with the same name for a payout",
    "events",
    "events_payout_id_name_key",
    { payout_id: "p", name: "payout.completed" },
  ],
  [
    "report of the same day of a wallet",
    "events",
    "events_once_per_report",
    { account_id: ID, report_date: "2026-11-26" },
  ],
  [
    "event with the same name for a refund",
    "events",
    "events_refund_id_name_key",
    { refund_id: "r", name: "refund.completed" },
  ],
  [
    "default fee in the same currency",
    "fee_schedules",
    "fee_schedules_one_default",
    { ...MODE, currency: "EUR" },
  ],
  [
    "fee of a merchant in the same currency",
    "fee_schedules",
    "fee_schedules_one_per_merchant",
    { ...OF_MERCHANT, currency: "EUR" },
  ],
  ["unfinished ledger proof", "ledger_proofs", "ledger_proofs_one_open", {}],
  [
    "e-mail with the same notice to the same address",
    "notice_mails",
    "notice_mails_notice_id_address_key",
    { notice_id: 1, address: "a@b.c" },
  ],
  ["order with the same payment", "orders", "orders_one_per_payment", { transfer_id: ID }],
  ["order with the same shopper's quote", "orders", "orders_quote_id_mode_key", { quote_id: ID, ...MODE }],
  ["order with the same token", "orders", "orders_token_key", { token: "t" }],
  ["order with the same transaction number", "orders", "orders_trx_id_key", { trx_id: "TRX-1" }],
  [
    "payment challenge with the same value",
    "payment_challenges",
    "payment_challenges_challenge_key",
    { challenge: "c" },
  ],
  ["payment link with the same token", "payment_links", "payment_links_token_key", { token: "t" }],
  [
    "bulk payout line with the same reference",
    "payout_batch_lines",
    "payout_batch_lines_batch_id_reference_key",
    { batch_id: ID, reference: "x" },
  ],
  [
    "bulk payout line with the same payout",
    "payout_batch_lines",
    "payout_batch_lines_payout_id_key",
    { payout_id: "p" },
  ],
  [
    "payout with the same reference",
    "payouts",
    "payouts_merchant_id_mode_reference_key",
    { ...OF_MERCHANT, reference: "x" },
  ],
  ["payout with the same hold", "payouts", "payouts_one_per_hold", { hold_transfer_id: ID }],
  ["payout with the same transfer", "payouts", "payouts_one_per_transfer", { transfer_id: ID }],
  ["payout with the same quote", "payouts", "payouts_quote_id_mode_key", { quote_id: ID, ...MODE }],
  ["payout with the same transaction number", "payouts", "payouts_trx_id_key", { trx_id: "TRX-1" }],
  [
    "endpoint with the same address",
    "receivers",
    "receivers_one_per_address",
    { ...OF_MERCHANT, address: "https://a" },
  ],
  ["refund with the same hold", "refunds", "refunds_one_per_hold", { hold_transfer_id: ID }],
  ["refund with the same transfer", "refunds", "refunds_one_per_transfer", { transfer_id: ID }],
  [
    "replay with the same idempotency key",
    "replays",
    "replays_merchant_id_mode_idempotency_key_key",
    { ...OF_MERCHANT, idempotency_key: "k" },
  ],
  [
    "running replay to the same address",
    "replays",
    "replays_one_an_address",
    { ...OF_MERCHANT, address: "https://a", state: "running" },
  ],
  [
    "running replay to the same endpoint",
    "replays",
    "replays_one_an_endpoint",
    { receiver_id: ID, state: "running" },
  ],
  [
    "running replay of the same delivery",
    "replays",
    "replays_under_way",
    { delivery_id: ID, state: "running" },
  ],
  [
    "shop connection with the same code",
    "shop_connections",
    "shop_connections_code_hash_key",
    { code_hash: "\\x00" },
  ],
  [
    "till with the same terminal ID",
    "tills",
    "tills_merchant_id_mode_terminal_id_key",
    { ...OF_MERCHANT, terminal_id: "1" },
  ],
  ["till with the same token", "tills", "tills_token_key", { token: "t" }],
  ["correction of a transfer", "transfers", "transfers_corrects_mode_key", { corrects: ID, ...MODE }],
  [
    "transfer with the same external reference",
    "transfers",
    "transfers_mode_external_reference_key",
    { ...MODE, external_reference: "x" },
  ],
  [
    "trusted device of a shopper with the same token",
    "wallet_devices",
    "wallet_devices_token_hash_wallet_user_id_key",
    { token_hash: "\\x00", wallet_user_id: ID },
  ],
  [
    "wallet passkey with the same credential ID",
    "wallet_passkeys",
    "wallet_passkeys_credential_id_key",
    { credential_id: "c" },
  ],
  [
    "wallet session with the same previous token",
    "wallet_sessions",
    "wallet_sessions_previous_token_hash_key",
    { previous_token_hash: "\\x00" },
  ],
  [
    "wallet session with the same token",
    "wallet_sessions",
    "wallet_sessions_token_hash_key",
    { token_hash: "\\x00" },
  ],
  [
    "shopper with the same e-mail address",
    "wallet_users",
    "wallet_users_mode_email_key",
    { ...MODE, email: "a@b.c" },
  ],
  [
    "shopper with the same phone number",
    "wallet_users",
    "wallet_users_mode_phone_key",
    { ...MODE, phone: "+4312345" },
  ],
  [
    "shopper with PIN-less sign-in in the same mode",
    "wallet_users",
    "wallet_users_open_in_key",
    { open_in: "sandbox" },
  ],
  [
    "test shopper of a merchant",
    "wallet_users",
    "wallet_users_test_of_merchant_id_key",
    { test_of_merchant_id: ID },
  ],
];

const { inCopy } = useTableCopies();

it.each(ONCE)("rejects a second %s", async (_what, table, index, row) => {
  const guards = {
    text: `SELECT regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\S+ ON \\S+', 'INDEX ON copy') AS statement
      FROM pg_index WHERE indrelid = $1::regclass AND indexrelid = to_regclass($2)`,
    values: [table, index],
  };
  await inCopy(table, guards, async (insert) => {
    expect(await insert(row)).toBe("done");
    expect(await insert(row)).toBe(UNIQUE_VIOLATION);
  });
});
