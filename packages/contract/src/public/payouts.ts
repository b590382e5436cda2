import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { FieldRule, oneOfRule } from "../errors/field-errors.js";
import {
  amount,
  answeredMetadata,
  listQuerySchema,
  MAX_KEY_LENGTH,
  metadata,
  nextCursor,
  optional,
  optionalFilter,
  optionalText,
  paginationSchema,
  text,
  timestamp,
} from "../fields.js";

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
  .object({ phone: optionalText(32), email: optionalText(254) })
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

export const lookupAnswerSchema = successEnvelope(
  z.object({
    lookup_token: z.uuid(),
    recipient: z.object({
      name: z.string(),
      currencies: z.array(z.object({ code: z.string(), symbol: z.string(), type: z.string() })),
    }),
  }),
);
export type LookupAnswer = z.infer<typeof lookupAnswerSchema>["data"];

/** `POST /quote` */
export const quoteRequestSchema = z.object({
  lookup_token: issuedId,
  amount,
  sender_currency: payoutCurrency,
  receiver_currency: payoutCurrency,
});
export type QuoteRequest = z.output<typeof quoteRequestSchema>;

export const quoteSchema = z.object({
  quote_id: z.uuid(),
  amount: z.number(),
  sender_currency: z.string(),
  receiver_currency: z.string(),
  exchange_rate: z.number(),
  fee: z.number(),
  total_deducted: z.number(),
  receiver_amount: z.number(),
  expires_at: timestamp,
});
export type Quote = z.infer<typeof quoteSchema>;
export const quoteAnswerSchema = successEnvelope(quoteSchema);

/**
 * The idempotency key of a payout is checked before all other fields: a repeat gets the original, whatever else it says.
 */
export const payoutKeySchema = z.object({ idempotency_key: text(MAX_KEY_LENGTH) });

/** `POST /payout`: with `quote_id` (rate and fee locked), or direct. */
export const payoutRequestSchema = z
  .object({
    quote_id: optional(issuedId),
    lookup_token: optional(issuedId),
    amount: optional(amount),
    sender_currency: optional(payoutCurrency),
    receiver_currency: optional(payoutCurrency),
    reference: text(255),
    description: optionalText(500),
    metadata,
  })
  .superRefine((request, context) => {
    if (request.quote_id !== undefined) return;
    for (const field of ["lookup_token", "amount", "sender_currency", "receiver_currency"] as const)
      if (request[field] === undefined)
        context.addIssue({ code: "custom", path: [field], message: FieldRule.RequiredWithoutQuote.text });
  }, ALSO_BESIDE_WRONG_FIELDS);
/** {@link payoutRequestSchema} with its key: all that a caller sends. */
export const keyedPayoutRequestSchema = payoutRequestSchema.safeExtend(payoutKeySchema.shape);
export type PayoutRequest = z.output<typeof payoutRequestSchema>;

const PAYOUT_STATUSES = ["completed", "pending", "failed"] as const;
export const payoutStatusSchema = z.enum(PAYOUT_STATUSES, { error: oneOfRule(PAYOUT_STATUSES).text });
export type PayoutStatus = z.infer<typeof payoutStatusSchema>;

/** What a payout and its events say of its money. */
export const payoutTerms = {
  reference: z.string(),
  amount: z.number(),
  currency: z.string(),
  fee: z.number(),
  total_deducted: z.number(),
  exchange_rate: z.number(),
  receiver_amount: z.number(),
  receiver_currency: z.string(),
};

export const payoutSchema = z.object({
  payout_id: z.string().regex(/^PO[0-9A-Z]{8,}$/),
  ...payoutTerms,
  status: payoutStatusSchema,
  description: z.string().nullable(),
  metadata: answeredMetadata,
  trx_id: z.string().nullable(),
  created_at: timestamp,
  processed_at: timestamp.nullable(),
});
export type Payout = z.infer<typeof payoutSchema>;

export const payoutAnswerSchema = successEnvelope(
  z.object({ payout: payoutSchema, duplicate: z.literal(true).optional() }),
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
export const payoutPageAnswerSchema = successEnvelope(payoutPageSchema);
/** Behind a cursor no pages are counted. */
export const payoutListAnswerSchema = successEnvelope(
  payoutPageSchema.extend({ pagination: paginationSchema.nullable() }),
);
export type PayoutList = z.infer<typeof payoutPageSchema>;

export const balancesAnswerSchema = successEnvelope(
  z.object({
    balances: z.array(
      z.object({ currency_code: z.string(), currency_symbol: z.string(), balance: z.number() }),
    ),
  }),
);
export type Balances = z.infer<typeof balancesAnswerSchema>["data"];
