import { z } from "zod";
import { checkoutMerchantSchema } from "../checkout/checkout.js";
import { successEnvelope } from "../envelope.js";
import { currencyCode, modeSchema, optionalAmount, optionalDay, text, timestamp } from "../fields.js";
import { MAX_LINK_USES } from "../limits.js";
import { consoleMoneySchema } from "./lists.js";
import { consoleOrderStatusSchema } from "./orders.js";

export const LINK_ORDER_SECONDS = 900;
export const MAX_COUNTED_USES = 1_000;

/** `used`: no uses left. `expired`: past the last day. `closed`: by a user. */
export const paymentLinkStateSchema = z.enum(["open", "used", "expired", "closed"]);
export type PaymentLinkState = z.infer<typeof paymentLinkStateSchema>;

export const consolePaymentLinkSchema = z.object({
  link_id: z.string(),
  description: z.string(),
  currency: z.string(),
  /** Null if the shopper chooses the amount, within the bounds, if any. */
  amount: consoleMoneySchema.nullable(),
  min_amount: consoleMoneySchema.nullable(),
  max_amount: consoleMoneySchema.nullable(),
  /** Maximum number of paid orders; null if unlimited. */
  max_uses: z.int().nullable(),
  /** Counted up to {@link MAX_COUNTED_USES}. Refunds do not restore a use. */
  paid: z.int().nonnegative(),
  state: paymentLinkStateSchema,
  url: z.string(),
  expires_at: timestamp.nullable(),
  created_at: timestamp,
});
export type ConsolePaymentLink = z.infer<typeof consolePaymentLinkSchema>;

/** `GET …/links`: newest first. */
export const consolePaymentLinksResponseSchema = successEnvelope(
  z.object({ links: z.array(consolePaymentLinkSchema) }),
);

export const consoleLinkOrderSchema = z.object({
  order_id: z.string(),
  status: consoleOrderStatusSchema,
  money: consoleMoneySchema,
  created_at: timestamp,
});
export type ConsoleLinkOrder = z.infer<typeof consoleLinkOrderSchema>;

/** `GET …/links/{link}`: with the latest orders. */
export const consolePaymentLinkResponseSchema = successEnvelope(
  z.object({ link: consolePaymentLinkSchema, orders: z.array(consoleLinkOrderSchema) }),
);

/** `POST …/links`: without `amount`, the shopper chooses it; bounds apply only then. */
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
  /** The last valid day, in the user's time zone. */
  expires_on: optionalDay,
});
export type ConsolePaymentLinkRequest = z.output<typeof consolePaymentLinkRequestSchema>;

/** `POST …/links/{link}` */
export const consolePaymentLinkChangeSchema = z.object({
  closed: z.boolean({ error: "must be true or false" }),
});

/** `GET /checkout/v1/links/{token}` */
export const checkoutLinkSchema = z.object({
  merchant: checkoutMerchantSchema,
  mode: modeSchema,
  description: z.string(),
  currency: z.string(),
  /** Formatted, `41.50 EUR`; null if the shopper chooses it. */
  amount: z.string().nullable(),
  min_amount: z.string().nullable(),
  max_amount: z.string().nullable(),
  state: z.enum(["open", "used", "expired", "closed"]),
  /** Payment page of this visitor's pending order, if any. */
  payment_url: z.string().nullable(),
});
export type CheckoutLink = z.infer<typeof checkoutLinkSchema>;

/** `POST /checkout/v1/links/{token}/orders`: `amount` if the shopper chooses it. */
export const checkoutLinkOrderRequestSchema = z.object({ amount: optionalAmount });
export const checkoutLinkOrderResponseSchema = successEnvelope(z.object({ payment_url: z.string() }));
