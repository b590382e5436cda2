import { z } from "zod";
import { checkoutMerchantSchema } from "../checkout/checkout.js";
import { successEnvelope } from "../envelope.js";
import { currencyCode, modeSchema, optionalAmount, optionalDay, text, timestamp } from "../fields.js";
import { MAX_LINK_USES } from "../limits.js";
import { consoleMoneySchema } from "./lists.js";
import { consoleOrderStatusSchema } from "./orders.js";

/** How long an order that was made through a link waits for its payment, in seconds. */
export const LINK_ORDER_SECONDS = 900;
/** Paid orders of a link are counted up to here. */
export const MAX_COUNTED_USES = 1_000;

/** Whether a link takes a payment: `used` when as many were paid as may be, `expired` by its own time, `closed` by hand. */
export const paymentLinkStateSchema = z.enum(["open", "used", "expired", "closed"]);
export type PaymentLinkState = z.infer<typeof paymentLinkStateSchema>;

export const consolePaymentLinkSchema = z.object({
  link_id: z.string(),
  /** What is paid for, as the shopper reads it. */
  description: z.string(),
  currency: z.string(),
  /** Null: the shopper chooses it, between the bounds where there are some. */
  amount: consoleMoneySchema.nullable(),
  min_amount: consoleMoneySchema.nullable(),
  max_amount: consoleMoneySchema.nullable(),
  /** How many orders may be paid; null: any number. */
  max_uses: z.int().nullable(),
  /** Orders of it that were paid, counted up to {@link MAX_COUNTED_USES}; a refund gives no use back. */
  paid: z.int().nonnegative(),
  state: paymentLinkStateSchema,
  url: z.string(),
  expires_at: timestamp.nullable(),
  created_at: timestamp,
});
export type ConsolePaymentLink = z.infer<typeof consolePaymentLinkSchema>;

/** `GET …/links`, the newest first. */
export const consolePaymentLinksResponseSchema = successEnvelope(
  z.object({ links: z.array(consolePaymentLinkSchema) }),
);

/** An order that was made through a link. */
export const consoleLinkOrderSchema = z.object({
  order_id: z.string(),
  status: consoleOrderStatusSchema,
  money: consoleMoneySchema,
  created_at: timestamp,
});
export type ConsoleLinkOrder = z.infer<typeof consoleLinkOrderSchema>;

/** `GET …/links/{link}`: with its newest orders. */
export const consolePaymentLinkResponseSchema = successEnvelope(
  z.object({ link: consolePaymentLinkSchema, orders: z.array(consoleLinkOrderSchema) }),
);

/** `POST …/links`. Without `amount` the shopper chooses it; bounds are for that only. */
export const consolePaymentLinkRequestSchema = z.object({
  description: text(500),
  currency: currencyCode,
  amount: optionalAmount,
  min_amount: optionalAmount,
  max_amount: optionalAmount,
  max_uses: z
    .int({ error: "must be a whole number" })
    .min(1, { error: "must be at least 1" })
    .max(MAX_LINK_USES, { error: `must not be more than ${MAX_LINK_USES}` })
    .optional(),
  /** The last day that it works on, in the person's time zone. */
  expires_on: optionalDay,
});
export type ConsolePaymentLinkRequest = z.output<typeof consolePaymentLinkRequestSchema>;

/** `POST …/links/{link}` */
export const consolePaymentLinkChangeSchema = z.object({
  closed: z.boolean({ error: "must be true or false" }),
});

/**
 * `GET /checkout/v1/links/{token}`: what a payment link opens.
 */
export const checkoutLinkSchema = z.object({
  merchant: checkoutMerchantSchema,
  mode: modeSchema,
  description: z.string(),
  currency: z.string(),
  /** Formatted, `41.50 EUR`; null: the shopper chooses it. */
  amount: z.string().nullable(),
  min_amount: z.string().nullable(),
  max_amount: z.string().nullable(),
  state: z.enum(["open", "used", "expired", "closed"]),
  /** The page of the order that this visitor began and may still pay. */
  payment_url: z.string().nullable(),
});
export type CheckoutLink = z.infer<typeof checkoutLinkSchema>;

/** `POST /checkout/v1/links/{token}/orders`: `amount` where the shopper chooses it. */
export const checkoutLinkOrderRequestSchema = z.object({ amount: optionalAmount });
export const checkoutLinkOrderResponseSchema = successEnvelope(z.object({ payment_url: z.string() }));
