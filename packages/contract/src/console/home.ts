import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { text, timestamp } from "../fields.js";
import { consoleMoneySchema } from "./lists.js";

export const consoleWalletSchema = z.object({
  currency: z.string(),
  digits: z.int(),
  symbol: z.string(),
  balance: consoleMoneySchema,
  /** Held for pending refunds and payouts; not part of the balance. */
  held: consoleMoneySchema,
});
/** `GET …/wallets` */
export const consoleWalletListResponseSchema = successEnvelope(
  z.object({
    wallets: z.array(consoleWalletSchema),
    /** Currencies in which the merchant can open a wallet; sandbox only. */
    openable: z.array(z.string()),
  }),
);
/** `POST …/wallets`, in the sandbox. */
export const consoleOpenWalletRequestSchema = z.object({ currency: text(10) });
/** False if already open. */
export const consoleWalletOpenedResponseSchema = successEnvelope(z.object({ opened: z.boolean() }));

/** Days shown on the home page, including today. */
export const HOME_DAYS = 30;

export const consoleAttentionSchema = z.object({
  kind: z.enum([
    "endpoint_failing",
    "endpoint_disabled",
    /** A paid order whose webhook failed or is minutes late, so the shop may not know. */
    "payment_not_delivered",
    /** A refund or payout that awaits an administrator. */
    "refund_waiting",
    "payout_waiting",
    /** A payout limit used to 80 % or more; `id` is its period. */
    "limit_nearly_reached",
    /** A rotated-out secret that expires soon. */
    "credential_ending",
    "endpoint_secret_ending",
    /** A shop with differences, or without a completed comparison for two days. */
    "shop_differs",
    "shop_not_compared",
  ]),
  id: z.string(),
  /** A URL, a client ID, a shop's site, or an order's reference. */
  title: z.string().nullable(),
  money: consoleMoneySchema.nullable(),
  /** The start of the problem, or the deadline. */
  at: timestamp.nullable(),
});
export type ConsoleAttention = z.infer<typeof consoleAttentionSchema>;

const share = z.int();
/** `GET …/home`: days are in the user's time zone. Orders count on their creation day, refunds and payouts when their money moves. */
export const consoleHomeResponseSchema = successEnvelope(
  z.object({
    wallets: z.array(consoleWalletSchema),
    /** The last {@link HOME_DAYS} days, today last, for each currency that was used. */
    sums: z.array(
      z.object({
        currency: z.string(),
        digits: z.int(),
        days: z.array(
          z.object({
            day: z.iso.date(),
            /** Decimal strings with the currency's decimal places. */
            payments: z.string(),
            refunds: z.string(),
            payouts: z.string(),
          }),
        ),
      }),
    ),
    orders: z.object({ paid: share, expired: share, cancelled: share, pending: share }),
    attention: z.array(consoleAttentionSchema),
    /** Progress towards the first sale in this mode. */
    setup: z.object({
      /** Whether a working credential exists. `client_id` is that of the newest credential. */
      key: z.boolean(),
      client_id: z.string().nullable(),
      endpoint: z.boolean(),
      order: z.boolean(),
      order_id: z.string().nullable(),
      order_payable: z.boolean(),
      paid: z.boolean(),
      delivered: z.boolean(),
    }),
  }),
);
