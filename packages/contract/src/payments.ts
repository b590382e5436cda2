import { z } from "zod";
import {
  amount,
  answeredLocale,
  answeredMetadata,
  currencyCode,
  idempotencyKey,
  metadata,
  optionalLocale,
  optionalText,
  optionalWebAddress,
  seconds,
  text,
  timestamp,
  webAddress,
} from "./fields.js";
import { orderStatusSchema } from "./orders.js";
import { paymentEnvelope } from "./tokens.js";

/** `POST /payment/create`; the amount is rounded to two decimals, half up, before anything else. */
export const createPaymentRequestSchema = z.object({
  amount,
  currency: currencyCode,
  return_url: webAddress,
  cancel_url: optionalWebAddress,
  product_name: text(500),
  order_number: text(255),
  custom: optionalText(255),
  expires_in: seconds(60, 86_400, 3_600),
  metadata,
  locale: optionalLocale,
  idempotency_key: idempotencyKey,
});
/** A parsed `POST /payment/create`; `expires_in` in seconds. */
export type CreatePaymentRequest = z.output<typeof createPaymentRequestSchema>;
/** What a caller may send to `POST /payment/create`. */
export type CreatePaymentInput = z.input<typeof createPaymentRequestSchema>;

export const paymentCreatedAnswerSchema = paymentEnvelope(
  z.object({ token: z.string(), payment_url: z.string() }),
);

/** A payment as `GET /payment/{token}` shows it. */
export const paymentSchema = z.object({
  token: z.string(),
  order_id: z.string(),
  status: orderStatusSchema,
  amount: z.string(),
  raw_amount: z.number(),
  currency: z.string(),
  order_number: z.string().nullable(),
  custom: z.string().nullable(),
  metadata: answeredMetadata,
  locale: answeredLocale,
  trx_id: z.string().nullable(),
  paid_at: timestamp.nullable(),
  expires_at: timestamp,
  created_at: timestamp,
});
export type Payment = z.infer<typeof paymentSchema>;
export const paymentAnswerSchema = paymentEnvelope(paymentSchema);
