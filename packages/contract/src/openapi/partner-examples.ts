import type { JsonObject } from "./json.js";

export const PARTNER_TAG = "Payouts";

export const LOOKUP_TOKEN = "0b4e7a52-5a0e-4c8e-9b52-8d5b6f0f6a11";
export const QUOTE_ID = "6f1c0b7e-2f8d-4a39-8f64-1c2d3e4f5a6b";
export const PAYOUT_ID = "PO7KQ2MX9A";

export const QUOTE: JsonObject = {
  quote_id: QUOTE_ID,
  amount: 100,
  sender_currency: "EUR",
  receiver_currency: "XAF",
  exchange_rate: 649.39743,
  fee: 1.5,
  total_deducted: 101.5,
  receiver_amount: 64939,
  expires_at: "2026-11-21T09:35:00+00:00",
};

export const PAYOUT_TERMS = {
  reference: "salary-2026-11/17",
  amount: 100,
  currency: "EUR",
  fee: 1.5,
  total_deducted: 101.5,
  exchange_rate: 649.39743,
  receiver_amount: 64939,
  receiver_currency: "XAF",
};

export const PAYOUT: JsonObject = {
  payout_id: PAYOUT_ID,
  ...PAYOUT_TERMS,
  status: "completed",
  description: "November salary",
  metadata: null,
  trx_id: "PP4829137502",
  created_at: "2026-11-21T09:31:12+00:00",
  processed_at: "2026-11-21T09:31:12+00:00",
};

export const PENDING: JsonObject = { ...PAYOUT, status: "pending", processed_at: null };
