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
} from "../fields.js";
import { orderStatusSchema } from "./orders.js";

/** How long an access token lasts, in seconds. */
export const ACCESS_TOKEN_SECONDS = 600;

/** `POST /authentication/token` */
export const tokenRequestSchema = z.object({ client_id: text(255), secret_id: text(255) });
export type TokenRequest = z.output<typeof tokenRequestSchema>;

/** A success answer of the token and payment API around `data`. */
export const paymentEnvelope = <T extends z.ZodType>(data: T) =>
  z.object({
    message: z.object({ code: z.literal(200), success: z.array(z.string()).min(1) }),
    data,
    type: z.literal("success"),
  });

export const tokenAnswerSchema = paymentEnvelope(
  z.object({ access_token: z.string(), expire_time: z.literal(ACCESS_TOKEN_SECONDS) }),
);

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
