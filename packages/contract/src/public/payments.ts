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

export const ACCESS_TOKEN_SECONDS = 600;

/** `POST /authentication/token` */
export const tokenRequestSchema = z.object({
  client_id: text(255).describe("The client ID."),
  secret_id: text(255).describe("The client secret."),
});
export type TokenRequest = z.output<typeof tokenRequestSchema>;

export const paymentEnvelope = <T extends z.ZodType>(data: T) =>
  z.object({
    message: z.object({ code: z.literal(200), success: z.array(z.string()).min(1) }),
    data,
    type: z.literal("success"),
  });

export const tokenResponseSchema = paymentEnvelope(
  z.object({
    access_token: z.string().describe("The Bearer token for the payment operations (a signed JWT)."),
    expire_time: z.literal(ACCESS_TOKEN_SECONDS).describe("The token's lifetime in seconds."),
  }),
);

/** `POST /payment/create`: the amount is rounded to two decimals, half up, before validation. */
export const createPaymentRequestSchema = z.object({
  amount: amount.describe(`${AMOUNT_RULE} Rounded to 2 decimals, half up, before validation.`),
  currency: currencyCode.describe("Uppercase ISO 4217 code of one of your active wallets."),
  return_url: webAddress.describe(`Where the customer is redirected after paying. ${RETURN_ADDRESS_RULE}`),
  cancel_url: optionalWebAddress.describe(
    `Where the customer is redirected after cancellation or expiry. ${RETURN_ADDRESS_RULE}`,
  ),
  product_name: text(500).describe("The product or service, shown on the payment page."),
  order_number: text(255).describe("Your own order reference."),
  custom: optionalText(255).describe(
    "Any text for your records, returned with the payment and in the query of the return URL.",
  ),
  expires_in: seconds(60, 86_400, 3_600).describe("Seconds until the payment expires."),
  metadata,
  locale: optionalLocale,
  idempotency_key: idempotencyKey,
});
export type CreatePaymentRequest = z.output<typeof createPaymentRequestSchema>;

export const paymentCreatedResponseSchema = paymentEnvelope(
  z.object({
    token: z.string().describe("Identifies the payment."),
    payment_url: z.string().describe("The URL of the hosted page. Redirect the customer to it."),
  }),
);

/** `GET /payment/{token}` */
export const paymentSchema = z.object({
  token: z.string().describe("Identifies the payment and its hosted page."),
  order_id: z.string().describe("The payment's order ID in the list of orders."),
  status: orderStatusSchema.describe("The current status, including refunds."),
  amount: z.string().describe(FORMATTED_AMOUNT),
  raw_amount: z.number().describe("The amount as a number."),
  currency: z.string().describe("ISO 4217 code."),
  order_number: z.string().nullable().describe("Your own order reference."),
  custom: z.string().nullable().describe("Your own text."),
  metadata: responseMetadata,
  locale: responseLocale,
  trx_id: z.string().nullable().describe("The transaction ID, required for refunds. Null until paid."),
  paid_at: timestamp.nullable().describe("When the payment was made. Null until then."),
  expires_at: timestamp.describe("When the payment expires if it is not made."),
  created_at: timestamp.describe("When the payment was created."),
});
export type Payment = z.infer<typeof paymentSchema>;
export const paymentResponseSchema = paymentEnvelope(paymentSchema);
