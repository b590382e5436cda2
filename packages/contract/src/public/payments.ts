import { z } from "zod";
import {
  AMOUNT_RULE,
  amount,
  currencyCode,
  FORMATTED_AMOUNT,
  idempotencyKey,
  metadata,
  optionalLocale,
  optionalText,
  optionalWebAddress,
  RETURN_ADDRESS_RULE,
  responseLocale,
  responseMetadata,
  seconds,
  text,
  timestamp,
  webAddress,
} from "../fields.js";
import { orderStatusSchema } from "./orders.js";

/** How long an access token lasts, in seconds. */
export const ACCESS_TOKEN_SECONDS = 600;

/** `POST /authentication/token` */
export const tokenRequestSchema = z.object({
  client_id: text(255).describe("Client id of the credential."),
  secret_id: text(255).describe("Secret key of the credential."),
});
export type TokenRequest = z.output<typeof tokenRequestSchema>;

/** A success answer of the token and payment API around `data`. */
export const paymentEnvelope = <T extends z.ZodType>(data: T) =>
  z.object({
    message: z.object({ code: z.literal(200), success: z.array(z.string()).min(1) }),
    data,
    type: z.literal("success"),
  });

export const tokenResponseSchema = paymentEnvelope(
  z.object({
    access_token: z.string().describe("Bearer token for the payment operations (a signed JWT)."),
    expire_time: z.literal(ACCESS_TOKEN_SECONDS).describe("Its lifetime in seconds."),
  }),
);

/** `POST /payment/create`; the amount is rounded to two decimals, half up, before anything else. */
export const createPaymentRequestSchema = z.object({
  amount: amount.describe(`${AMOUNT_RULE} Rounded to 2 decimals, half up, before anything else.`),
  currency: currencyCode.describe("Uppercase ISO 4217 code of one of your active wallets."),
  return_url: webAddress.describe(`Where the customer goes after paying. ${RETURN_ADDRESS_RULE}`),
  cancel_url: optionalWebAddress.describe(
    `Where the customer goes after cancelling or when the payment has expired. ${RETURN_ADDRESS_RULE}`,
  ),
  product_name: text(500).describe("What is paid for; shown on the page."),
  order_number: text(255).describe("Your own order reference."),
  custom: optionalText(255).describe(
    "Any text for your records; comes back with the payment and in the customer's return address.",
  ),
  expires_in: seconds(60, 86_400, 3_600).describe("Seconds until the payment expires."),
  metadata,
  locale: optionalLocale,
  idempotency_key: idempotencyKey,
});
/** A parsed `POST /payment/create`; `expires_in` in seconds. */
export type CreatePaymentRequest = z.output<typeof createPaymentRequestSchema>;
/** What a caller may send to `POST /payment/create`. */
export type CreatePaymentInput = z.input<typeof createPaymentRequestSchema>;

export const paymentCreatedResponseSchema = paymentEnvelope(
  z.object({
    token: z.string().describe("Identifies the payment."),
    payment_url: z.string().describe("The hosted page to send the customer to."),
  }),
);

/** A payment as `GET /payment/{token}` shows it. */
export const paymentSchema = z.object({
  token: z.string().describe("Identifies the payment and its hosted page."),
  order_id: z.string().describe("The same payment in the list of orders."),
  status: orderStatusSchema.describe("What the payment is now, refunds counted."),
  amount: z.string().describe(FORMATTED_AMOUNT),
  raw_amount: z.number().describe("The amount as a number."),
  currency: z.string().describe("ISO 4217 code."),
  order_number: z.string().nullable().describe("Your own order reference."),
  custom: z.string().nullable().describe("Your own text."),
  metadata: responseMetadata,
  locale: responseLocale,
  trx_id: z.string().nullable().describe("The payment's transaction; refunds name it. Null until paid."),
  paid_at: timestamp.nullable().describe("When it was paid; null until then."),
  expires_at: timestamp.describe("When it expires, or expired, unless paid before."),
  created_at: timestamp.describe("When it was created."),
});
export type Payment = z.infer<typeof paymentSchema>;
export const paymentResponseSchema = paymentEnvelope(paymentSchema);
