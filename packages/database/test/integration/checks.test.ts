import { describe, expect, it } from "vitest";
import { type Row, useTableCopies } from "../table-copy.js";

/** A check, a row that it accepts, and rows that it rejects. Columns that are not named are null. */
type Check = [check: string, accepted: Row, ...rejected: Row[]];

const AT = "2026-01-01T00:00:00Z";
const ID = "00000000-0000-4000-8000-000000000001";
const OTHER_ID = "00000000-0000-4000-8000-000000000002";
const CHECK_VIOLATION = "23514";

const PAID = {
  ...{ status: "PAID", paid_at: AT, trx_id: "TRX-1", transfer_id: ID, payer_account_id: ID },
  ...{ payer_currency: "EUR", payer_amount: 5, currency: "EUR", amount: 5 },
};

const CHECKS: Record<string, Check[]> = {
  accounts: [
    [
      "accounts_owner_by_kind",
      { kind: "merchant", merchant_id: ID },
      { kind: "merchant" },
      { kind: "hold", merchant_id: ID, wallet_user_id: ID },
      { kind: "shopper", merchant_id: ID },
      { kind: "fees", merchant_id: ID },
    ],
    [
      "accounts_balance_by_kind",
      { kind: "hold", balance: 0 },
      { kind: "hold" },
      { kind: "fees", balance: 0 },
    ],
    ["accounts_never_below_zero", { balance: 0 }, { balance: -1 }],
    ["accounts_issuing_is_sandbox", { kind: "issuing", mode: "sandbox" }, { kind: "issuing", mode: "live" }],
    ["accounts_closed_empty", { closed_at: AT, balance: 0 }, { closed_at: AT, balance: 1 }],
  ],
  administrator_requests: [
    ["administrator_requests_email_lower_case", { email: "a@b.c" }, { email: "A@b.c" }],
    [
      "administrator_requests_decided",
      { status: "approved", decided_by_id: ID, decided_at: AT },
      { status: "approved", decided_by_id: ID },
      { status: "pending", decided_by_id: ID },
      { status: "pending", decided_at: AT },
    ],
    [
      "administrator_requests_two_administrators",
      { status: "approved", requested_by_id: ID, decided_by_id: OTHER_ID },
      { status: "approved", requested_by_id: ID, decided_by_id: ID },
    ],
  ],
  approval_requests: [
    [
      "approval_requests_kind",
      { kind: "deposit", account_id: ID, external_reference: "x", amount: 1 },
      { kind: "deposit", account_id: ID, external_reference: "x", amount: 0 },
      { kind: "deposit", account_id: ID, amount: 1 },
      { kind: "single_limit", amount: -1 },
      { kind: "single_limit", amount: 1, transfer_id: ID },
    ],
    [
      "approval_requests_decided",
      { status: "pending" },
      { status: "pending", decided_by_id: ID },
      { status: "approved", decided_by_id: ID },
    ],
    [
      "approval_requests_two_administrators",
      { status: "rejected", requested_by_id: ID, decided_by_id: ID },
      { status: "approved", requested_by_id: ID, decided_by_id: ID },
    ],
    [
      "approval_requests_moved_money",
      { status: "approved", kind: "deposit", transfer_id: ID },
      { status: "approved", kind: "deposit" },
      { status: "rejected", kind: "deposit", transfer_id: ID },
    ],
  ],
  audit_records: [
    ["audit_records_one_author", { credential_id: ID }, {}, { credential_id: ID, administrator_id: ID }],
  ],
  console_links: [
    ["console_links_sealed_whole", {}, { token_ciphertext: "\\x00" }, { encryption_key_id: "k" }],
    ["console_links_email_lower_case", { email: "a@b.c" }, { email: "A@b.c" }],
    [
      "console_links_by_kind",
      { kind: "password", user_id: ID },
      { kind: "password", user_id: ID, email: "a@b.c" },
      { kind: "sign_up" },
      { kind: "invitation", email: "a@b.c", merchant_id: ID, role: "owner" },
    ],
    [
      "console_links_next_of_sign_up",
      { kind: "sign_up", next_path: "/" },
      { kind: "password", next_path: "/" },
    ],
  ],
  console_passkeys: [["console_passkeys_counter_not_negative", { counter: 0 }, { counter: -1 }]],
  console_sessions: [
    [
      "console_sessions_second_factor_signs_in",
      { signed_in_at: AT, second_factor_at: AT },
      { second_factor_at: AT },
    ],
    [
      "console_sessions_passkey_challenge_ends",
      {},
      { passkey_challenge: "x" },
      { passkey_challenge_until: AT },
    ],
  ],
  console_totps: [["console_totps_confirmed_by_code", {}, { confirmed_at: AT }, { last_step: 1 }]],
  console_users: [["console_users_email_lower_case", { email: "a@b.c" }, { email: "A@b.c" }]],
  console_views: [
    ["console_views_list", { list: "orders" }, { list: "wallets" }],
    ["console_views_named", { name: "x" }, { name: "" }, { name: "x".repeat(61) }],
    ["console_views_query", { query: "x" }, { query: "" }, { query: "x".repeat(4001) }],
  ],
  conversions: [
    [
      "conversions_amounts",
      { from_amount: 1, to_amount: 1, rate: 1 },
      { from_amount: 0, to_amount: 1, rate: 1 },
      { from_amount: 1, to_amount: 0, rate: 1 },
      { from_amount: 1, to_amount: 1, rate: 0 },
      { from_amount: 10_000_000_000_001, to_amount: 1, rate: 1 },
    ],
    [
      "conversions_between_two",
      { from_currency: "EUR", to_currency: "USD" },
      { from_currency: "EUR", to_currency: "EUR" },
    ],
    ["conversions_are_sandbox", { mode: "sandbox" }, { mode: "live" }],
    ["conversions_used_by_a_transfer", {}, { used_at: AT }, { transfer_id: ID }],
  ],
  credentials: [
    [
      "credentials_client_signs",
      { kind: "client", client_id: "c", secret_ciphertext: "\\x00", encryption_key_id: "k" },
      { kind: "client", client_id: "c", secret_ciphertext: "\\x00" },
      { kind: "client" },
      { kind: "api_token", client_id: "c", secret_ciphertext: "\\x00", encryption_key_id: "k" },
    ],
    ["credentials_name_length", { name: "x" }, { name: "" }, { name: "x".repeat(101) }],
    [
      "credentials_order_only_are_clients",
      { order_only: true, kind: "client", read_only: false },
      { order_only: true, kind: "api_token", read_only: false },
      { order_only: true, kind: "client", read_only: true },
    ],
    [
      "credentials_reports_only_are_readers",
      { reports_only: true, kind: "client", read_only: true },
      { reports_only: true, kind: "api_token", read_only: true },
      { reports_only: true, kind: "client", read_only: false },
    ],
  ],
  currencies: [
    ["currencies_digits", { digits: 4 }, { digits: 5 }, { digits: -1 }],
    ["currencies_single_limit", { single_administrator_limit: 0 }, { single_administrator_limit: -1 }],
  ],
  deliveries: [
    ["deliveries_one_signer", { receiver_id: ID }, {}, { receiver_id: ID, credential_id: ID }],
    [
      "deliveries_settled",
      { status: "delivered", settled_at: AT },
      { status: "failed" },
      { status: "queued", settled_at: AT },
    ],
    [
      "deliveries_attempts",
      { attempts_before: 1, attempt_count: 1 },
      { attempts_before: 2, attempt_count: 1 },
      { attempts_before: -1, attempt_count: 1 },
    ],
    [
      "deliveries_given_up",
      { status: "failed", given_up_because: "gone" },
      { status: "queued", given_up_because: "gone" },
      { status: "failed", given_up_because: "tired" },
    ],
    [
      "deliveries_controlled_in_sandbox",
      { test_control: "delivery_late", mode: "sandbox" },
      { test_control: "delivery_late", mode: "live" },
    ],
    [
      "deliveries_controlled",
      { test_control: "delivery_late", controlled_at: AT, held_seconds: 1 },
      { test_control: "delivery_late", controlled_at: AT },
      { controlled_at: AT },
      { test_control: "delivery_lost", controlled_at: AT, held_seconds: 1 },
    ],
    [
      "deliveries_leased",
      { status: "queued" },
      { status: "queued", leased_until: AT },
      {
        status: "queued",
        leased_until: AT,
        leased_by: ID,
        leased_at: AT,
        leased_as: "late",
        leased_host: "h",
      },
      {
        status: "failed",
        leased_until: AT,
        leased_by: ID,
        leased_at: AT,
        leased_as: "slow",
        leased_host: "h",
      },
    ],
  ],
  delivery_lanes: [
    [
      "delivery_lanes_slow",
      { slow_in_row: 3, answers: false },
      { slow_in_row: 4, answers: false },
      { slow_in_row: 3, answers: true },
    ],
  ],
  digest_mails: [
    [
      "digest_mails_settled",
      { status: "waiting" },
      { status: "waiting", settled_at: AT },
      { status: "sent" },
    ],
    ["digest_mails_attempts", { attempts: 0 }, { attempts: -1 }],
    [
      "digest_mails_lease",
      { status: "waiting", leased_by: ID, leased_until: AT },
      { status: "waiting", leased_by: ID },
      { status: "sent", leased_by: ID, leased_until: AT },
    ],
    [
      "digest_mails_of_a_merchant",
      { topic: "summary", merchant_id: ID },
      { topic: "summary" },
      { topic: "monthly_report" },
    ],
  ],
  embed_origins: [
    [
      "embed_origins_plain",
      { origin: "https://shop.example.com" },
      { origin: "https://shop.example.com/" },
      { origin: `https://${"a".repeat(193)}` },
    ],
    ["embed_origins_live", { mode: "live", origin: "https://a" }, { mode: "live", origin: "http://a" }],
  ],
  entries: [["entries_move_something", { amount: 1 }, { amount: 0 }]],
  events: [
    [
      "events_name_their_subject",
      { name: "refund.completed", order_id: "o", refund_id: "r" },
      { name: "refund.completed", refund_id: "r" },
      { name: "pos.order.paid" },
      { name: "pos.order.paid", order_id: "o", refund_id: "r" },
      { name: "payout.completed", payout_id: "p", order_id: "o" },
      { name: "invoice.paid", order_id: "o" },
      { name: "report.ready", account_id: ID },
      { name: "report.ready", report_date: "2026-11-26" },
      { name: "report.ready", account_id: ID, report_date: "2026-11-26", payout_id: "p" },
      { name: "payout.completed", payout_id: "p", account_id: ID },
      { name: "pos.order.paid", order_id: "o", report_date: "2026-11-26" },
      { name: "refund.completed", order_id: "o", refund_id: "r", account_id: ID },
    ],
  ],
  exchange_rates: [
    [
      "exchange_rates_positive",
      { rate: 1, spread_percent: 0 },
      { rate: 0, spread_percent: 0 },
      { rate: 1, spread_percent: -1 },
      { rate: 1, spread_percent: 100 },
    ],
    ["exchange_rates_two_currencies", { base: "EUR", quote: "USD" }, { base: "EUR", quote: "EUR" }],
  ],
  fee_schedules: [
    [
      "fee_schedules_amounts",
      { fixed: 0, percent: 100 },
      { fixed: -1, percent: 0 },
      { fixed: 0, percent: 101 },
      { fixed: 0, percent: -1 },
    ],
  ],
  idempotency_keys: [["idempotency_keys_name_one", { order_id: "o" }, {}, { order_id: "o", refund_id: "r" }]],
  ledger_proofs: [
    [
      "ledger_proofs_finished",
      { finished_at: AT, sound: true },
      { finished_at: AT },
      { sound: true },
      { error: "x" },
    ],
    ["ledger_proofs_one_result", { sound: true }, { sound: true, error: "x" }],
    [
      "ledger_proofs_sound_without_faults",
      { sound: false, faults: ["x"] },
      { sound: true, faults: ["x"] },
      { sound: false, faults: [] },
    ],
  ],
  merchant_branding: [
    ["merchant_branding_accent", { accent: "#00ff00" }, { accent: "#00FF00" }, { accent: "green" }],
    ["merchant_branding_logo_whole", {}, { logo_id: "x" }, { logo: "\\x00" }],
    [
      "merchant_branding_logo",
      {},
      { logo: "\\x00", logo_id: "x", logo_type: "image/png" },
      {
        logo: "\\x00",
        logo_id: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        logo_type: "image/gif",
      },
    ],
  ],
  merchants: [
    [
      "merchants_rate_limits",
      { pay_requests_a_minute: 1 },
      { pay_requests_a_minute: 0 },
      { partner_requests_a_minute: 0 },
    ],
    ["merchants_notice_email", { notice_email: "a@b.c" }, { notice_email: "a" }, { notice_email: "a@b.c,d" }],
  ],
  monthly_report_subscriptions: [
    [
      "monthly_report_subscriptions_month",
      { month: "2026-12" },
      { month: "2026-13" },
      { month: "2026-1" },
      { month: "2026-12-01" },
    ],
  ],
  notice_mails: [
    [
      "notice_mails_settled",
      { status: "waiting" },
      { status: "waiting", settled_at: AT },
      { status: "sent" },
    ],
    ["notice_mails_attempts", { attempts: 0 }, { attempts: -1 }],
    [
      "notice_mails_lease",
      { status: "waiting", leased_by: ID, leased_until: AT },
      { status: "waiting", leased_until: AT },
      { status: "sent", leased_by: ID, leased_until: AT },
    ],
  ],
  notices: [["notices_dismissed", {}, { dismissed_at: AT }, { dismissed_by_id: ID }]],
  orders: [
    ["orders_amount", { amount: 1 }, { amount: 0 }, { amount: 10_000_000_000_001 }],
    [
      "orders_refunds_within_payment",
      { refunded: 3, refund_pending: 2, amount: 5 },
      { refunded: 3, refund_pending: 3, amount: 5 },
      { refunded: -1, refund_pending: 0, amount: 5 },
      { refunded: 0, refund_pending: -1, amount: 5 },
    ],
    [
      "orders_state_is_derived",
      { status: "PAID", state: "PAID", amount: 5, refunded: 1, refund_pending: 0 },
      { status: "PENDING", state: "PAID" },
      { status: "PAID", state: "PAID", amount: 5, refunded: 5, refund_pending: 0 },
      { status: "PAID", state: "PAID", amount: 5, refunded: 0, refund_pending: 1 },
      { status: "PAID", state: "REFUNDED", amount: 5, refunded: 4, refund_pending: 0 },
    ],
    ["orders_metadata", { metadata: "{}" }, { metadata: "[]" }],
    ["orders_locale", { locale: "en" }, { locale: "" }],
    ["orders_version", { version: 1 }, { version: 0 }],
    [
      "orders_paid_completely",
      PAID,
      { ...PAID, trx_id: null },
      { ...PAID, transfer_id: null },
      { ...PAID, payer_amount: null },
      { ...PAID, status: "PENDING" },
    ],
    [
      "orders_unpaid_without_payment",
      { status: "PENDING", refunded: 0, refund_pending: 0 },
      { status: "PENDING", refunded: 0, refund_pending: 0, quote_id: ID },
      { status: "EXPIRED", refunded: 0, refund_pending: 0, transfer_id: ID },
      { status: "CANCELLED", refunded: 1, refund_pending: 0 },
    ],
    [
      "orders_converted_by_quote",
      PAID,
      { ...PAID, payer_amount: 4 },
      { ...PAID, quote_id: ID },
      { ...PAID, payer_currency: "USD" },
      { ...PAID, payer_currency: "USD", quote_id: ID, payer_amount: 0 },
    ],
  ],
  payment_links: [
    ["payment_links_described", { description: "x" }, { description: "" }, { description: "x".repeat(501) }],
    [
      "payment_links_amount_positive",
      { amount: 1 },
      { amount: 0 },
      { amount: 1, min_amount: 1 },
      { amount: 1, max_amount: 1 },
    ],
    [
      "payment_links_bounds",
      { min_amount: 2, max_amount: 2 },
      { min_amount: 2, max_amount: 1 },
      { min_amount: 0 },
      { max_amount: 0 },
    ],
    ["payment_links_uses", { max_uses: 1 }, { max_uses: 0 }, { max_uses: 100_001 }],
  ],
  payout_batch_lines: [
    ["payout_batch_lines_amount_positive", { amount: 1 }, { amount: 0 }],
    ["payout_batch_lines_price_whole", {}, { fee: 1 }, { fee: 1, rate: 1, receiver_amount: 1 }],
    [
      "payout_batch_lines_priced_before_paid",
      { status: "ready", rate: 1 },
      { status: "ready" },
      { status: "paying" },
    ],
    [
      "payout_batch_lines_done_by_payout",
      { status: "done", payout_id: "p" },
      { status: "done" },
      { status: "ready", payout_id: "p" },
    ],
    [
      "payout_batch_lines_failed_for_a_reason",
      { status: "failed", failure: "x" },
      { status: "failed" },
      { status: "done", failure: "x" },
    ],
  ],
  payout_batches: [
    ["payout_batches_round_positive", { round: 1 }, { round: 0 }],
    ["payout_batches_confirmed_by_call", {}, { confirmed_at: AT }, { request_id: "r" }],
    ["payout_batches_confirmed_or_discarded", { confirmed_at: AT }, { confirmed_at: AT, discarded_at: AT }],
  ],
  payout_terms: [
    [
      "payout_terms_limits",
      { daily: 0 },
      { per_transaction: -1 },
      { daily: -1 },
      { monthly: -1 },
      { review_above: -1 },
    ],
  ],
  payout_usage: [["payout_usage_not_negative", { amount: 0 }, { amount: -1 }]],
  payouts: [
    ["payouts_metadata", { metadata: "{}" }, { metadata: "[]" }],
    [
      "payouts_amounts",
      { amount: 1, fee: 0, receiver_amount: 1, rate: 1 },
      { amount: 0, fee: 0, receiver_amount: 1, rate: 1 },
      { amount: 1, fee: -1, receiver_amount: 1, rate: 1 },
      { amount: 1, fee: 0, receiver_amount: 0, rate: 1 },
      { amount: 1, fee: 0, receiver_amount: 1, rate: 0 },
    ],
    [
      "payouts_same_currency",
      { sender_currency: "EUR", receiver_currency: "EUR", rate: 1, amount: 5, receiver_amount: 5 },
      { sender_currency: "EUR", receiver_currency: "EUR", rate: 2, amount: 5, receiver_amount: 5 },
      { sender_currency: "EUR", receiver_currency: "EUR", rate: 1, amount: 5, receiver_amount: 4 },
    ],
    [
      "payouts_processed",
      { status: "pending" },
      { status: "pending", processed_at: AT },
      { status: "failed" },
    ],
    [
      "payouts_pending_is_held",
      { status: "pending", hold_transfer_id: ID },
      { status: "pending" },
      { status: "pending", hold_transfer_id: ID, transfer_id: ID },
    ],
    [
      "payouts_settled_moved_money",
      { status: "completed", transfer_id: ID },
      { status: "completed" },
      { status: "failed" },
    ],
    ["payouts_failed_was_held", { status: "failed", hold_transfer_id: ID }, { status: "failed" }],
    [
      "payouts_completed_is_numbered",
      { status: "completed", trx_id: "TRX-1" },
      { status: "completed" },
      { status: "failed", trx_id: "TRX-1" },
    ],
  ],
  pin_failures: [["pin_failures_not_negative", { failures: 0 }, { failures: -1 }]],
  quotes: [
    [
      "quotes_amounts",
      { amount: 1, fee: 0, receiver_amount: 1, rate: 1 },
      { amount: 0, fee: 0, receiver_amount: 1, rate: 1 },
      { amount: 1, fee: -1, receiver_amount: 1, rate: 1 },
      { amount: 1, fee: 0, receiver_amount: 0, rate: 1 },
      { amount: 1, fee: 0, receiver_amount: 1, rate: 0 },
    ],
  ],
  receivers: [
    [
      "receivers_disabled_for_a_reason",
      { disabled_at: AT, disabled_reason: "gone" },
      { disabled_at: AT },
      { disabled_reason: "gone" },
      { disabled_at: AT, disabled_reason: "bored" },
    ],
    [
      "receivers_streak",
      { failures_in_row: 1, failing_since: AT, warned_at: AT },
      { failures_in_row: -1, failing_since: AT },
      { failures_in_row: 1 },
      { failures_in_row: 0, failing_since: AT },
      { failures_in_row: 0, warned_at: AT },
    ],
    [
      "receivers_previous_secret",
      {},
      { previous_secret_ciphertext: "\\x00", previous_encryption_key_id: "k" },
      { previous_secret_ciphertext: "\\x00", previous_secret_expires_at: AT },
      { previous_secret_expires_at: AT },
    ],
  ],
  refunds: [
    ["refunds_amount", { amount: 1 }, { amount: 0 }],
    ["refunds_metadata", { metadata: "{}" }, { metadata: "[]" }],
    ["refunds_settled", { status: "pending" }, { status: "pending", settled_at: AT }, { status: "failed" }],
    ["refunds_completed_moved_money", { status: "completed", transfer_id: ID }, { status: "completed" }],
    [
      "refunds_pending_is_held",
      { status: "pending", hold_transfer_id: ID },
      { status: "pending" },
      { status: "pending", hold_transfer_id: ID, transfer_id: ID },
    ],
    [
      "refunds_failed_returned_hold",
      { status: "failed", hold_transfer_id: ID, transfer_id: ID },
      { status: "failed", hold_transfer_id: ID },
      { status: "failed", transfer_id: ID },
    ],
    [
      "refunds_completed_gave_back",
      { status: "completed", payer_amount: 0 },
      { status: "completed" },
      { status: "failed", payer_amount: 1 },
      { status: "completed", payer_amount: -1 },
    ],
  ],
  replays: [
    [
      "replays_one_target",
      { receiver_id: ID },
      {},
      { receiver_id: ID, address: "https://a", credential_id: ID },
      { address: "https://a" },
    ],
    ["replays_keyed", {}, { idempotency_key: "k" }, { request_hash: "\\x00" }],
    ["replays_range", { from_time: AT, to_time: "2026-01-02" }, { from_time: AT, to_time: AT }],
    ["replays_known_state", { state: "running" }, { state: "paused" }],
    [
      "replays_ended",
      { state: "completed", ended_at: AT },
      { state: "cancelled" },
      { state: "running", ended_at: AT },
    ],
    [
      "replays_counted",
      { total: 0, sent: 0, failed: 0 },
      { total: -1, sent: 0, failed: 0 },
      { total: 0, sent: -1, failed: 0 },
      { total: 0, sent: 0, failed: -1 },
    ],
  ],
  shop_connections: [
    ["shop_connections_platform", { platform: "woocommerce" }, { platform: "magento" }],
    ["shop_connections_named", { shop_name: "x" }, { shop_name: "" }, { shop_name: "x".repeat(101) }],
    [
      "shop_connections_exchanged",
      { exchanged_at: AT, credential_ids: [ID] },
      { exchanged_at: AT, credential_ids: [] },
      { credential_ids: [ID] },
    ],
  ],
  shop_comparisons: [
    [
      "shop_comparisons_counts",
      { compared: 0, skipped: 0 },
      { compared: -1, skipped: 0 },
      { compared: 0, skipped: -1 },
    ],
    ["shop_comparisons_site_length", { site: "x" }, { site: "" }, { site: "x".repeat(301) }],
  ],
  shop_differences: [
    ["shop_differences_subject", { subject: "record" }, { subject: "payout" }],
    ["shop_differences_repair", { repair: "cancel_open" }, { repair: "refund" }],
    [
      "shop_differences_lengths",
      { order_id: "x", order_number: "x", order_url: "x", subject_id: "x" },
      { order_id: "x".repeat(65) },
      { order_number: "x".repeat(65) },
      { order_url: "x".repeat(501) },
      { subject_id: "x".repeat(65) },
    ],
    ["shop_differences_values", { text_values: {} }, { text_values: '"x"' }],
  ],
  shopper_quotes: [
    [
      "shopper_quotes_amounts",
      { payer_amount: 1, rate: 1 },
      { payer_amount: 0, rate: 1 },
      { payer_amount: 1, rate: 0 },
      { payer_amount: 10_000_000_000_001, rate: 1 },
    ],
  ],
  test_controls: [
    ["test_controls_known", { control: "payout_waits" }, { control: "payout_lost" }],
    ["test_controls_remaining", { remaining: 0 }, { remaining: -1 }, { remaining: 101 }],
    ["test_controls_seconds", { seconds: 1 }, { seconds: 0 }, { seconds: 601 }],
  ],
  tills: [
    ["tills_named", { name: "x" }, { name: "" }, { name: "x".repeat(81) }],
    ["tills_terminal_named", { terminal_id: "x" }, { terminal_id: "" }, { terminal_id: "x".repeat(65) }],
  ],
  transfers: [
    ["transfers_correct_another", { id: ID, corrects: OTHER_ID }, { id: ID, corrects: ID }],
    ["transfers_correct_funds", { corrects: ID, kind: "deposit" }, { corrects: ID, kind: "payment" }],
    [
      "transfers_reference_of_funds",
      { external_reference: "x", kind: "top_up" },
      { external_reference: "x", kind: "payout" },
    ],
  ],
  wallet_passkeys: [["wallet_passkeys_counter_not_negative", { counter: 0 }, { counter: -1 }]],
  wallet_sessions: [
    ["wallet_sessions_previous_ends", {}, { previous_token_hash: "\\x00" }, { previous_valid_until: AT }],
  ],
  wallet_users: [
    ["wallet_users_reachable", { phone: "x" }, {}],
    ["wallet_users_email_lower_case", { email: "a@b.c" }, { email: "A@b.c" }],
    ["wallet_users_phone_e164", { phone: "+4312345" }, { phone: "004312345" }, { phone: "+43 12345" }],
    [
      "wallet_users_test_in_sandbox",
      { test_of_merchant_id: ID, mode: "sandbox" },
      { test_of_merchant_id: ID, mode: "live" },
    ],
    [
      "wallet_users_open_in_sandbox",
      { open_in: "sandbox", mode: "sandbox" },
      { open_in: "live", mode: "sandbox" },
      { open_in: "sandbox", mode: "live" },
      { open_in: "sandbox", mode: "sandbox", test_of_merchant_id: ID },
    ],
  ],
};

const { inCopy, query } = useTableCopies();

describe.each(Object.entries(CHECKS))("a row of %s", (table, checks) => {
  it.each(checks)("is rejected if it violates %s", async (check, accepted, ...rejected) => {
    const guards = {
      text: `SELECT format('ALTER TABLE copy ADD %s', pg_get_constraintdef(oid)) AS statement FROM pg_constraint
        WHERE conrelid = $1::regclass AND conname = $2`,
      values: [table, check],
    };
    const write = (row: Row) => inCopy(table, guards, (insert) => insert(row));
    expect(await write(accepted)).toBe("done");
    for (const row of rejected) expect([row, await write(row)]).toEqual([row, CHECK_VIOLATION]);
  });
});

it("CHECKS lists exactly the checks of the schema", async () => {
  const rows = await query<{ conname: string }>(
    "SELECT conname FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace AND conname !~ '^_'",
  );
  const known = Object.values(CHECKS).flatMap((checks) => checks.map(([check]) => check));
  expect(known.sort()).toEqual(rows.map(({ conname }) => conname).sort());
});
