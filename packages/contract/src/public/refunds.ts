import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { oneOfRule } from "../errors/field-errors.js";
import {
  answeredMetadata,
  idempotencyKey,
  listQuerySchema,
  metadata,
  nextCursor,
  optionalAmount,
  optionalFilter,
  optionalText,
  paginationSchema,
  text,
  timestamp,
} from "../fields.js";

const REFUND_STATUSES = ["pending", "completed", "failed"] as const;
export const refundStatusSchema = z.enum(REFUND_STATUSES, { error: oneOfRule(REFUND_STATUSES).text });
export type RefundStatus = z.infer<typeof refundStatusSchema>;

export const createRefundRequestSchema = z.object({
  transaction_id: text(64),
  /** Left out: all that is left of the payment. */
  amount: optionalAmount,
  reason: optionalText(500),
  reference: optionalText(255),
  metadata,
  idempotency_key: idempotencyKey,
});
export type CreateRefundRequest = z.output<typeof createRefundRequestSchema>;
export type CreateRefundInput = z.input<typeof createRefundRequestSchema>;

export const refundSchema = z.object({
  refund_id: z.string().regex(/^RF-\d{8}-[0-9A-Z]{6,}$/),
  transaction_id: z.string(),
  amount: z.string(),
  raw_amount: z.number(),
  currency: z.string(),
  status: refundStatusSchema,
  /** The empty text when none was given. */
  reason: z.string(),
  reference: z.string(),
  metadata: answeredMetadata,
  created_at: timestamp,
});
export type Refund = z.infer<typeof refundSchema>;

export const listRefundsQuerySchema = listQuerySchema.safeExtend({
  transaction_id: optionalFilter(64),
  status: refundStatusSchema.optional(),
});
export type ListRefundsQuery = z.output<typeof listRefundsQuerySchema>;

export const refundAnswerSchema = successEnvelope(refundSchema);
const refundPageSchema = z.object({
  refunds: z.array(refundSchema),
  pagination: paginationSchema,
  next_cursor: nextCursor,
});
export const refundPageAnswerSchema = successEnvelope(refundPageSchema);
/** Behind a cursor no pages are counted. */
export const refundListAnswerSchema = successEnvelope(
  refundPageSchema.extend({ pagination: paginationSchema.nullable() }),
);
export type RefundList = z.infer<typeof refundPageSchema>;
