import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { oneOfRule } from "../errors/field-errors.js";
import {
  AMOUNT_RULE,
  FORMATTED_AMOUNT,
  idempotencyKey,
  listQuerySchema,
  metadata,
  nextCursor,
  nullablePagination,
  optionalAmount,
  optionalFilter,
  optionalText,
  paginationSchema,
  responseMetadata,
  text,
  timestamp,
} from "../fields.js";

const REFUND_STATUSES = ["pending", "completed", "failed"] as const;
export const refundStatusSchema = z.enum(REFUND_STATUSES, { error: oneOfRule(REFUND_STATUSES).text });
export type RefundStatus = z.infer<typeof refundStatusSchema>;

export const createRefundRequestSchema = z.object({
  transaction_id: text(64).describe("The `trx_id` of a paid order."),
  amount: optionalAmount.describe(
    `${AMOUNT_RULE} Omit it to refund the full remainder; null and the empty string are rejected.`,
  ),
  reason: optionalText(500).describe("The reason, for your records."),
  reference: optionalText(255).describe("Your own reference."),
  metadata,
  idempotency_key: idempotencyKey,
});
export type CreateRefundRequest = z.output<typeof createRefundRequestSchema>;

export const refundSchema = z.object({
  refund_id: z
    .string()
    .regex(/^RF-\d{8}-[0-9A-Z]{6,}$/)
    .describe("Identifies the refund."),
  transaction_id: z.string().describe("The payment's transaction ID."),
  amount: z.string().describe(FORMATTED_AMOUNT),
  raw_amount: z.number().describe("The amount as a number."),
  currency: z.string().describe("ISO 4217 code."),
  status: refundStatusSchema.describe("The current status."),
  reason: z.string().describe("The reason; an empty string if none was given."),
  reference: z.string().describe("Your own reference; an empty string if none was given."),
  metadata: responseMetadata,
  created_at: timestamp.describe("When the refund was created."),
});
export type Refund = z.infer<typeof refundSchema>;

export const listRefundsQuerySchema = listQuerySchema.safeExtend({
  transaction_id: optionalFilter(64),
  status: refundStatusSchema.optional(),
});
export type ListRefundsQuery = z.output<typeof listRefundsQuerySchema>;

export const refundResponseSchema = successEnvelope(refundSchema);
const refundPageSchema = z.object({
  refunds: z.array(refundSchema),
  pagination: paginationSchema,
  next_cursor: nextCursor,
});
export const refundPageResponseSchema = successEnvelope(refundPageSchema);
export const refundListResponseSchema = successEnvelope(
  refundPageSchema.extend({ pagination: nullablePagination }),
);
export type RefundList = z.infer<typeof refundPageSchema>;
