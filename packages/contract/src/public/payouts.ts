import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { FieldRule, oneOfRule } from "../errors/field-errors.js";
import {
  AMOUNT_RULE,
  amount,
  listQuerySchema,
  MAX_KEY_LENGTH,
  metadata,
  nextCursor,
  nullablePagination,
  optional,
  optionalFilter,
  optionalText,
  paginationSchema,
  responseMetadata,
  text,
  timestamp,
} from "../fields.js";
import { LOOKUP_TOKEN_MINUTES, QUOTE_MINUTES } from "../limits.js";

/** The paths are equivalent: the API token determines the mode. */
export const PARTNER_API_PATHS = ["/api/partner/sandbox/v1", "/api/partner/v1"] as const;

/** Existing clients may send up to 10 characters. The operation rejects unknown codes with a specific error. */
const payoutCurrency = text(10);
/** A UUID issued earlier. Other text is rejected like an expired ID. */
const issuedId = text(64);

/** Cross-field rules also run if a field is invalid, so that all errors are reported together. */
const EVEN_WITH_INVALID_FIELDS = {
  when: ({ value }: { value: unknown }) =>
    typeof value === "object" && value !== null && !Array.isArray(value),
};

/** `POST /lookup`: exactly one of `phone` and `email`. */
export const lookupRequestSchema = z
  .object({
    phone: optionalText(32).describe("With a country code, in any common notation, with or without `+`."),
    email: optionalText(254).describe("Case-insensitive."),
  })
  .refine(({ phone, email }) => phone !== undefined || email !== undefined, {
    path: ["phone"],
    error: FieldRule.RequiredWithoutEmail.text,
    ...EVEN_WITH_INVALID_FIELDS,
  })
  .refine(({ phone, email }) => phone === undefined || email === undefined, {
    path: ["email"],
    error: FieldRule.NotWithPhone.text,
    ...EVEN_WITH_INVALID_FIELDS,
  });
export type LookupRequest = z.output<typeof lookupRequestSchema>;

export const lookupResponseSchema = successEnvelope(
  z.object({
    lookup_token: z
      .uuid()
      .describe(`Identifies the recipient in quotes and payouts. Valid for ${LOOKUP_TOKEN_MINUTES} minutes.`),
    recipient: z.object({
      name: z.string().describe("The recipient's name, for the sender to verify."),
      currencies: z
        .array(z.object({ code: z.string(), symbol: z.string(), type: z.string() }))
        .describe("The currencies of the recipient's wallets."),
    }),
  }),
);
export type LookupResult = z.infer<typeof lookupResponseSchema>["data"];

/** `POST /quote` */
export const quoteRequestSchema = z.object({
  lookup_token: issuedId.describe(
    `From the lookup. Valid for ${LOOKUP_TOKEN_MINUTES} minutes and any number of requests.`,
  ),
  amount: amount.describe(`${AMOUNT_RULE} In the sender currency, without the fee, which is added.`),
  sender_currency: payoutCurrency.describe("ISO 4217 code of the merchant wallet to debit."),
  receiver_currency: payoutCurrency.describe("ISO 4217 code of a currency returned by the lookup."),
});
export type QuoteRequest = z.output<typeof quoteRequestSchema>;

export const quoteSchema = z.object({
  quote_id: z.uuid().describe("Identifies the quote."),
  amount: z.number().describe("Amount to send, without the fee, in `sender_currency`."),
  sender_currency: z.string().describe("Currency debited from the merchant wallet."),
  receiver_currency: z.string().describe("Currency credited to the recipient."),
  exchange_rate: z
    .number()
    .describe(
      "Units of `receiver_currency` per unit of `sender_currency`, after the operator's margin; 1 if they are equal.",
    ),
  fee: z.number().describe("Fixed plus percentage fee, in `sender_currency`."),
  total_deducted: z.number().describe("`amount` plus `fee`."),
  receiver_amount: z.number().describe("Amount credited to the recipient, in `receiver_currency`."),
  expires_at: timestamp.describe("When the quote expires."),
});
export type Quote = z.infer<typeof quoteSchema>;
export const quoteResponseSchema = successEnvelope(quoteSchema);

/** The key is checked before all other fields: a repeat returns the original payout, regardless of its other fields. */
export const payoutKeySchema = z.object({
  idempotency_key: text(MAX_KEY_LENGTH).describe(
    "Makes retries safe: a repeat with the same key returns the original payout, whatever its other fields. Keys never expire. Required, here or in the `Idempotency-Key` header.",
  ),
});

/** `POST /payout`: with `quote_id` (rate and fee locked), or direct. */
export const payoutRequestSchema = z
  .object({
    quote_id: optional(issuedId).describe(
      `From the quote. Valid for ${QUOTE_MINUTES} minutes and a single use.`,
    ),
    lookup_token: optional(issuedId).describe("From the lookup. Required without `quote_id`."),
    amount: optional(amount).describe(
      `${AMOUNT_RULE} In the sender currency, without the fee, which is added. Required without \`quote_id\`.`,
    ),
    sender_currency: optional(payoutCurrency).describe(
      "ISO 4217 code of the merchant wallet to debit. Required without `quote_id`.",
    ),
    receiver_currency: optional(payoutCurrency).describe(
      "ISO 4217 code of the recipient's wallet. Required without `quote_id`.",
    ),
    reference: text(255).describe("Your own reference, unique per merchant and mode."),
    description: optionalText(500).describe("Shown in the transaction history."),
    metadata,
  })
  .superRefine((request, context) => {
    if (request.quote_id !== undefined) return;
    for (const field of ["lookup_token", "amount", "sender_currency", "receiver_currency"] as const)
      if (request[field] === undefined)
        context.addIssue({ code: "custom", path: [field], message: FieldRule.RequiredWithoutQuote.text });
  }, EVEN_WITH_INVALID_FIELDS);
/** The whole request body. */
export const payoutRequestWithKeySchema = payoutRequestSchema.safeExtend(payoutKeySchema.shape);
export type PayoutRequest = z.output<typeof payoutRequestSchema>;

const PAYOUT_STATUSES = ["completed", "pending", "failed"] as const;
export const payoutStatusSchema = z.enum(PAYOUT_STATUSES, { error: oneOfRule(PAYOUT_STATUSES).text });
export type PayoutStatus = z.infer<typeof payoutStatusSchema>;

export const payoutTerms = {
  reference: z.string().describe("Your own reference."),
  amount: z.number().describe("Amount sent, without the fee, in `currency`."),
  currency: z.string().describe("The sender currency."),
  fee: z.number().describe("Fixed plus percentage fee, in `currency`."),
  total_deducted: z
    .number()
    .describe(
      "`amount` plus `fee`, debited from the merchant wallet; held while the payout is pending, returned if it fails.",
    ),
  exchange_rate: z
    .number()
    .describe(
      "Units of `receiver_currency` per unit of `currency`, after the operator's margin; 1 if they are equal.",
    ),
  receiver_amount: z.number().describe("Amount credited to the recipient, in `receiver_currency`."),
  receiver_currency: z.string().describe("The recipient's currency."),
};

export const payoutSchema = z.object({
  payout_id: z
    .string()
    .regex(/^PO[0-9A-Z]{8,}$/)
    .describe("Identifies the payout."),
  ...payoutTerms,
  status: payoutStatusSchema.describe("The current status."),
  description: z.string().nullable().describe("As sent in the request."),
  metadata: responseMetadata,
  trx_id: z.string().nullable().describe("Tillgate's transaction ID. Null unless the payout is completed."),
  created_at: timestamp.describe("When the payout was created."),
  processed_at: timestamp.nullable().describe("When the payout was completed or failed. Null while pending."),
});
export type Payout = z.infer<typeof payoutSchema>;

export const payoutResponseSchema = successEnvelope(
  z.object({
    payout: payoutSchema,
    duplicate: z
      .literal(true)
      .optional()
      .describe(
        "True if an earlier request with the same idempotency key created the payout; otherwise absent.",
      ),
  }),
);

/** `GET /payouts` */
export const listPayoutsQuerySchema = listQuerySchema.safeExtend({
  status: payoutStatusSchema.optional(),
  reference: optionalFilter(255),
});
export type ListPayoutsQuery = z.output<typeof listPayoutsQuerySchema>;

const payoutPageSchema = z.object({
  payouts: z.array(payoutSchema),
  pagination: paginationSchema,
  next_cursor: nextCursor,
});
export const payoutPageResponseSchema = successEnvelope(payoutPageSchema);
export const payoutListResponseSchema = successEnvelope(
  payoutPageSchema.extend({ pagination: nullablePagination }),
);
export type PayoutList = z.infer<typeof payoutPageSchema>;

export const balancesResponseSchema = successEnvelope(
  z.object({
    balances: z.array(
      z.object({
        currency_code: z.string(),
        currency_symbol: z.string(),
        balance: z
          .number()
          .describe(
            "The available balance, without amounts held for pending payouts and refunds. The JSON text is exact, but parsers that use binary floats round numbers of more than 15 digits.",
          ),
      }),
    ),
  }),
);
export type Balances = z.infer<typeof balancesResponseSchema>["data"];
