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

/** Where the Partner API lives: the key chooses the mode, for both paths. */
export const PARTNER_API_PATHS = ["/api/partner/sandbox/v1", "/api/partner/v1"] as const;

/** The seed allows 10 characters. The operation decides whether the code exists, with its own text. */
const payoutCurrency = text(10);
/** A UUID that was issued earlier. Any other text gets the refusal of an expired one. */
const issuedId = text(64);

/** Rules of several fields are checked beside a wrong field too, so that all faults are named at once. */
const ALSO_BESIDE_WRONG_FIELDS = {
  when: ({ value }: { value: unknown }) =>
    typeof value === "object" && value !== null && !Array.isArray(value),
};

/** `POST /lookup`: one of the two. */
export const lookupRequestSchema = z
  .object({
    phone: optionalText(32).describe("With its country code, in any usual spelling, with or without `+`."),
    email: optionalText(254).describe("In any case."),
  })
  .refine(({ phone, email }) => phone !== undefined || email !== undefined, {
    path: ["phone"],
    error: FieldRule.RequiredWithoutEmail.text,
    ...ALSO_BESIDE_WRONG_FIELDS,
  })
  .refine(({ phone, email }) => phone === undefined || email === undefined, {
    path: ["email"],
    error: FieldRule.NotWithPhone.text,
    ...ALSO_BESIDE_WRONG_FIELDS,
  });
export type LookupRequest = z.output<typeof lookupRequestSchema>;

export const lookupResponseSchema = successEnvelope(
  z.object({
    lookup_token: z
      .uuid()
      .describe(`Names the recipient in quote and payout; valid ${LOOKUP_TOKEN_MINUTES} minutes.`),
    recipient: z.object({
      name: z.string().describe("For the sender to recognise the recipient."),
      currencies: z
        .array(z.object({ code: z.string(), symbol: z.string(), type: z.string() }))
        .describe("The currencies of the recipient's wallets."),
    }),
  }),
);
export type LookupResult = z.infer<typeof lookupResponseSchema>["data"];

/** `POST /quote` */
export const quoteRequestSchema = z.object({
  lookup_token: issuedId.describe(`From lookup; valid ${LOOKUP_TOKEN_MINUTES} minutes, any number of times.`),
  amount: amount.describe(`${AMOUNT_RULE} In the sender currency, before fees.`),
  sender_currency: payoutCurrency.describe("ISO 4217 code of the merchant wallet to be debited."),
  receiver_currency: payoutCurrency.describe("ISO 4217 code of one of the currencies that lookup returned."),
});
export type QuoteRequest = z.output<typeof quoteRequestSchema>;

export const quoteSchema = z.object({
  quote_id: z.uuid().describe("Identifies the quote."),
  amount: z.number().describe("Amount to send, before fees, in sender_currency."),
  sender_currency: z.string().describe("Currency debited from the merchant wallet."),
  receiver_currency: z.string().describe("Currency credited to the recipient."),
  exchange_rate: z.number().describe("From sender_currency to receiver_currency; 1 when they are equal."),
  fee: z.number().describe("Fixed plus percentage, debited in sender_currency."),
  total_deducted: z.number().describe("amount + fee."),
  receiver_amount: z.number().describe("Amount credited to the recipient, in receiver_currency."),
  expires_at: timestamp.describe("When the quote ceases to be usable."),
});
export type Quote = z.infer<typeof quoteSchema>;
export const quoteResponseSchema = successEnvelope(quoteSchema);

/**
 * The idempotency key of a payout is checked before all other fields: a repeat gets the original, whatever else it says.
 */
export const payoutKeySchema = z.object({
  idempotency_key: text(MAX_KEY_LENGTH).describe(
    "Makes a repeat of this request safe: the same key always answers the original payout, whatever else the request says. Keys never expire. Required, here or in the header Idempotency-Key.",
  ),
});

/** `POST /payout`: with `quote_id` (rate and fee locked), or direct. */
export const payoutRequestSchema = z
  .object({
    quote_id: optional(issuedId).describe(`From quote; valid ${QUOTE_MINUTES} minutes, used at most once.`),
    lookup_token: optional(issuedId).describe("From lookup; required when quote_id is absent."),
    amount: optional(amount).describe(
      `${AMOUNT_RULE} In the sender currency, before fees; required when quote_id is absent.`,
    ),
    sender_currency: optional(payoutCurrency).describe(
      "ISO 4217 code of the merchant wallet; required when quote_id is absent.",
    ),
    receiver_currency: optional(payoutCurrency).describe(
      "ISO 4217 code of the recipient's wallet; required when quote_id is absent.",
    ),
    reference: text(255).describe("Your own reference, unique per merchant account and mode."),
    description: optionalText(500).describe("Visible in the transaction history."),
    metadata,
  })
  .superRefine((request, context) => {
    if (request.quote_id !== undefined) return;
    for (const field of ["lookup_token", "amount", "sender_currency", "receiver_currency"] as const)
      if (request[field] === undefined)
        context.addIssue({ code: "custom", path: [field], message: FieldRule.RequiredWithoutQuote.text });
  }, ALSO_BESIDE_WRONG_FIELDS);
/** {@link payoutRequestSchema} with its key: all that a caller sends. */
export const payoutRequestWithKeySchema = payoutRequestSchema.safeExtend(payoutKeySchema.shape);
export type PayoutRequest = z.output<typeof payoutRequestSchema>;

const PAYOUT_STATUSES = ["completed", "pending", "failed"] as const;
export const payoutStatusSchema = z.enum(PAYOUT_STATUSES, { error: oneOfRule(PAYOUT_STATUSES).text });
export type PayoutStatus = z.infer<typeof payoutStatusSchema>;

/** What a payout and its events say of its money. */
export const payoutTerms = {
  reference: z.string().describe("Your own reference."),
  amount: z.number().describe("Amount sent, before fees, in `currency`."),
  currency: z.string().describe("Sender currency."),
  fee: z.number().describe("Fixed plus percentage, in `currency`."),
  total_deducted: z.number().describe("amount + fee, debited from the merchant wallet."),
  exchange_rate: z.number().describe("From `currency` to `receiver_currency`."),
  receiver_amount: z.number().describe("Amount credited to the recipient's wallet."),
  receiver_currency: z.string().describe("Recipient's currency."),
};

export const payoutSchema = z.object({
  payout_id: z
    .string()
    .regex(/^PO[0-9A-Z]{8,}$/)
    .describe("Identifies the payout."),
  ...payoutTerms,
  status: payoutStatusSchema.describe("How far the payout is."),
  description: z.string().nullable().describe("As sent in the request."),
  metadata: responseMetadata,
  trx_id: z.string().nullable().describe("Internal transaction identifier."),
  created_at: timestamp.describe("When it was created."),
  processed_at: timestamp.nullable().describe("When it was completed or failed; null while it is pending."),
});
export type Payout = z.infer<typeof payoutSchema>;

export const payoutResponseSchema = successEnvelope(
  z.object({
    payout: payoutSchema,
    duplicate: z
      .literal(true)
      .optional()
      .describe("There, and true, when an earlier request with the same idempotency key made this payout."),
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
            "What can be spent; what is held for pending payouts and refunds is not in it. Exact in its text: of more than 15 digits a reader with binary floats sees the nearest one.",
          ),
      }),
    ),
  }),
);
export type Balances = z.infer<typeof balancesResponseSchema>["data"];
