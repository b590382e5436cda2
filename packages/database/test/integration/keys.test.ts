import { describe, expect, it } from "vitest";
import { useTableCopies } from "../table-copy.js";

const FOREIGN_KEY_VIOLATION = "23503";

/** Columns of a table, and the table in which their values must exist. */
const REFERENCES: Record<string, [columns: string, referenced: string][]> = {
  accounts: [
    ["currency", "currencies"],
    ["merchant_id", "merchants"],
    ["wallet_user_id, mode", "wallet_users"],
  ],
  administrator_requests: [
    ["decided_by_id", "console_users"],
    ["requested_by_id", "console_users"],
  ],
  approval_requests: [
    ["account_id, mode, currency", "accounts"],
    ["currency", "currencies"],
    ["decided_by_id", "console_users"],
    ["requested_by_id", "console_users"],
    ["transfer_id, mode", "transfers"],
  ],
  attempts: [["delivery_id", "deliveries"]],
  audit_records: [
    ["administrator_id", "console_users"],
    ["credential_id", "credentials"],
    ["merchant_id", "merchants"],
  ],
  console_links: [
    ["invited_by_id", "console_users"],
    ["merchant_id", "merchants"],
    ["user_id", "console_users"],
  ],
  console_members: [
    ["merchant_id", "merchants"],
    ["user_id", "console_users"],
  ],
  console_passkeys: [["user_id", "console_users"]],
  console_recovery_codes: [["user_id", "console_users"]],
  console_sessions: [["user_id", "console_users"]],
  console_totps: [["user_id", "console_users"]],
  console_views: [
    ["merchant_id", "merchants"],
    ["user_id", "console_users"],
  ],
  conversions: [
    ["from_currency", "currencies"],
    ["to_currency", "currencies"],
    ["transfer_id, mode", "transfers"],
    ["wallet_user_id, mode", "wallet_users"],
  ],
  credentials: [
    ["created_by_id", "console_users"],
    ["merchant_id", "merchants"],
    ["replaces_id, merchant_id, mode", "credentials"],
  ],
  day_counts: [["merchant_id", "merchants"]],
  day_sums: [["merchant_id", "merchants"]],
  deliveries: [
    ["credential_id, merchant_id, mode", "credentials"],
    ["event_id, merchant_id, mode", "events"],
    ["receiver_id, merchant_id, mode", "receivers"],
  ],
  digest_mails: [["merchant_id", "merchants"]],
  embed_origins: [["merchant_id", "merchants"]],
  entry_checkpoints: [["account_id", "accounts"]],
  events: [
    ["account_id", "accounts"],
    ["order_id, merchant_id, mode", "orders"],
    ["payout_id, merchant_id, mode", "payouts"],
    ["refund_id, order_id", "refunds"],
  ],
  exchange_rates: [
    ["base", "currencies"],
    ["quote", "currencies"],
  ],
  expiry_failures: [["order_id", "orders"]],
  fee_schedules: [
    ["currency", "currencies"],
    ["merchant_id", "merchants"],
  ],
  idempotency_keys: [
    ["order_id, merchant_id, mode", "orders"],
    ["payout_id, merchant_id, mode", "payouts"],
    ["refund_id, merchant_id, mode", "refunds"],
  ],
  ledger_proofs: [["requested_by_id", "console_users"]],
  lookup_tokens: [
    ["merchant_id", "merchants"],
    ["wallet_user_id, mode", "wallet_users"],
  ],
  mail_subscriptions: [["merchant_id", "merchants"]],
  merchant_branding: [["merchant_id", "merchants"]],
  monthly_report_subscriptions: [["user_id, merchant_id", "console_members"]],
  notice_mails: [["notice_id", "notices"]],
  notices: [
    ["dismissed_by_id", "console_users"],
    ["id", "timeline_entries"],
  ],
  orders: [
    ["credential_id, merchant_id, mode", "credentials"],
    ["merchant_id", "merchants"],
    ["payer_account_id, mode, payer_currency", "accounts"],
    ["quote_id, mode", "shopper_quotes"],
  ],
  payment_challenges: [
    ["order_id, mode", "orders"],
    ["wallet_user_id, mode", "wallet_users"],
  ],
  payment_confirmations: [
    ["order_id, mode", "orders"],
    ["passkey_id, mode", "wallet_passkeys"],
  ],
  payment_link_orders: [
    ["link_id, merchant_id, mode", "payment_links"],
    ["order_id, merchant_id, mode", "orders"],
  ],
  payment_links: [
    ["created_by_id", "console_users"],
    ["currency", "currencies"],
    ["merchant_id", "merchants"],
  ],
  payout_batch_lines: [
    ["batch_id, merchant_id, mode", "payout_batches"],
    ["payout_id, merchant_id, mode", "payouts"],
    ["wallet_user_id, mode", "wallet_users"],
  ],
  payout_batches: [
    ["confirmed_by_id", "console_users"],
    ["created_by_id", "console_users"],
    ["merchant_id", "merchants"],
  ],
  payout_terms: [
    ["currency", "currencies"],
    ["merchant_id", "merchants"],
  ],
  payout_usage: [["merchant_id", "merchants"]],
  payouts: [
    ["hold_transfer_id, mode", "transfers"],
    ["merchant_id", "merchants"],
    ["quote_id, mode", "quotes"],
    ["recipient_account_id, mode, receiver_currency", "accounts"],
    ["wallet_user_id, mode", "wallet_users"],
  ],
  quarter_hour_sums: [["merchant_id", "merchants"]],
  quotes: [
    ["merchant_id", "merchants"],
    ["wallet_user_id, mode", "wallet_users"],
  ],
  receivers: [["merchant_id", "merchants"]],
  refunds: [
    ["credential_id, merchant_id, mode", "credentials"],
    ["hold_transfer_id, mode", "transfers"],
    ["merchant_id", "merchants"],
    ["order_id, mode", "orders"],
    ["transfer_id, mode", "transfers"],
  ],
  replays: [
    ["credential_id, merchant_id, mode", "credentials"],
    ["merchant_id", "merchants"],
    ["receiver_id, merchant_id, mode", "receivers"],
  ],
  report_cursors: [["account_id", "accounts"]],
  shop_connections: [
    ["created_by_id", "console_users"],
    ["merchant_id", "merchants"],
  ],
  shop_comparisons: [["credential_id, merchant_id, mode", "credentials"]],
  shop_differences: [["merchant_id, mode, site", "shop_comparisons"]],
  shopper_quotes: [
    ["account_id, mode, payer_currency", "accounts"],
    ["order_id, mode", "orders"],
    ["wallet_user_id, mode", "wallet_users"],
  ],
  span_counts: [["merchant_id", "merchants"]],
  test_controls: [["merchant_id", "merchants"]],
  tills: [
    ["created_by_id", "console_users"],
    ["currency", "currencies"],
    ["merchant_id", "merchants"],
  ],
  timeline_entries: [
    ["merchant_id", "merchants"],
    ["receiver_id, merchant_id, mode", "receivers"],
  ],
  transfers: [["corrects, mode", "transfers"]],
  wallet_devices: [["wallet_user_id, mode", "wallet_users"]],
  wallet_passkeys: [["wallet_user_id, mode", "wallet_users"]],
  wallet_sessions: [
    ["device_id", "wallet_devices"],
    ["pin_order_id, mode", "orders"],
    ["wallet_user_id, mode", "wallet_users"],
  ],
  wallet_users: [["test_of_merchant_id", "merchants"]],
};

const MADE_UP: Record<string, unknown> = {
  uuid: "00000000-0000-4000-8000-000000000001",
  mode: "live",
  bigint: 1,
};

const { inCopy, query } = useTableCopies();

describe.each(Object.entries(REFERENCES))("a row of %s", (table, references) => {
  it.each(references)("is rejected if its (%s) is not in %s", async (columns, referenced) => {
    const guards = {
      text: `SELECT format('ALTER TABLE copy ADD %s', pg_get_constraintdef(oid)) AS statement FROM pg_constraint
        WHERE conrelid = $1::regclass AND confrelid = $2::regclass
          AND pg_get_constraintdef(oid) LIKE format('FOREIGN KEY (%s)%%', $3::text)`,
      values: [table, referenced, columns],
    };
    const types = await query<{ name: string; type: string }>(
      `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
       WHERE attrelid = $1::regclass AND attname = ANY (string_to_array($2, ', '))`,
      [table, columns],
    );
    const row = Object.fromEntries(types.map(({ name, type }) => [name, MADE_UP[type] ?? "none"]));
    expect(await inCopy(table, guards, (insert) => insert(row))).toBe(FOREIGN_KEY_VIOLATION);
  });
});
