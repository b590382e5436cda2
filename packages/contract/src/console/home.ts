import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { text, timestamp } from "../fields.js";
import { consoleMoneySchema } from "./lists.js";

/** A merchant's wallet in one currency. */
export const consoleWalletSchema = z.object({
  currency: z.string(),
  digits: z.int(),
  symbol: z.string(),
  balance: consoleMoneySchema,
  /** Of refunds and payouts that wait for a decision; not part of the balance. */
  held: consoleMoneySchema,
});
/** `GET …/wallets`. */
export const consoleWalletListResponseSchema = successEnvelope(
  z.object({
    wallets: z.array(consoleWalletSchema),
    /** Currencies in which the merchant may open a wallet itself: of the sandbox only. */
    openable: z.array(z.string()),
  }),
);
/** `POST …/wallets`, in the sandbox. */
export const consoleOpenWalletRequestSchema = z.object({ currency: text(10) });
/** Whether this call opened it: a second one finds it open. */
export const consoleWalletOpenedResponseSchema = successEnvelope(z.object({ opened: z.boolean() }));

/** How many days the sums of home are about, today included. */
export const HOME_DAYS = 30;

/** What a merchant should look at, and what to link to. */
export const consoleAttentionSchema = z.object({
  kind: z.enum([
    /** An endpoint that fails, or was disabled. */
    "endpoint_failing",
    "endpoint_disabled",
    /** A paid order whose webhook was given up, or has not arrived for minutes: the shop may not know. */
    "payment_not_delivered",
    /** A refund or a payout that waits for an administrator. */
    "refund_waiting",
    "payout_waiting",
    /** A limit of payouts that is used to 80 % or more: its period is in `id`. */
    "limit_nearly_reached",
    /** A secret that ends soon: the old one of a credential or of an endpoint after a rotation. */
    "credential_ending",
    "endpoint_secret_ending",
  ]),
  /** Of the endpoint, order, refund, payout or credential; of a limit `day` or `month`. */
  id: z.string(),
  /** An address, a client id, or an order's reference. */
  title: z.string().nullable(),
  money: consoleMoneySchema.nullable(),
  /** Since when, or until when. */
  at: timestamp.nullable(),
});
export type ConsoleAttention = z.infer<typeof consoleAttentionSchema>;

const share = z.int();
/** `GET …/home`. Days are those of the person's time zone, and an order, refund or payout counts on the day that it was made. */
export const consoleHomeResponseSchema = successEnvelope(
  z.object({
    wallets: z.array(consoleWalletSchema),
    /** The last 30 days, today last, for each currency that was used. */
    sums: z.array(
      z.object({
        currency: z.string(),
        digits: z.int(),
        days: z.array(
          z.object({
            day: z.iso.date(),
            /** Decimal texts of the currency. */
            payments: z.string(),
            refunds: z.string(),
            payouts: z.string(),
          }),
        ),
      }),
    ),
    /** The orders of these days by what became of them. */
    orders: z.object({ paid: share, expired: share, cancelled: share, pending: share }),
    attention: z.array(consoleAttentionSchema),
    /** What is done on the way to a first sale in this mode. */
    setup: z.object({
      /** There is a credential that works: the newest one's client id. */
      key: z.boolean(),
      client_id: z.string().nullable(),
      /** An endpoint has answered 2xx, to a test event or to another. */
      endpoint: z.boolean(),
      order: z.boolean(),
      /** The newest one. */
      order_id: z.string().nullable(),
      /** Whether that one can still be paid. */
      order_payable: z.boolean(),
      paid: z.boolean(),
      /** A webhook of a paid order has arrived. */
      delivered: z.boolean(),
    }),
  }),
);
