import { AMOUNT_NOTATIONS } from "@tillgate/money";
import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { displayName, INVALID_CURSOR_TEXT, text, timestamp } from "../fields.js";
import { MAX_BATCH_BYTES } from "../limits.js";
import { consoleMoneySchema } from "./lists.js";

/** Columns of a bulk payout file. The last two are optional. */
export const BATCH_COLUMNS = [
  "id",
  "recipient",
  "amount",
  "currency",
  "receiver_currency",
  "description",
] as const;
export type BatchColumn = (typeof BATCH_COLUMNS)[number];

/** `value` of a problem is the column, limit, earlier line or payout. */
export const batchErrorSchema = z.enum([
  "empty",
  "too_many_lines",
  "malformed",
  "unknown_column",
  "missing_column",
  "column_twice",
  "fields",
  "required",
  "too_long",
  "broken_text",
  "recipient",
  "currency",
  "amount",
  "id_twice",
  "id_used",
]);
const problemSchema = z.object({
  line: z.int(),
  column: z.enum(BATCH_COLUMNS).nullable(),
  fault: batchErrorSchema,
  value: z.string().nullable(),
});
export type BatchProblem = z.infer<typeof problemSchema>;

export const amountNotationSchema = z.enum(AMOUNT_NOTATIONS, {
  error: `must be one of ${AMOUNT_NOTATIONS.join(" ")}`,
});
/** `POST …/payouts/batches` */
export const createBatchRequestSchema = z.object({
  name: displayName(120),
  csv: text(MAX_BATCH_BYTES),
  amounts: amountNotationSchema.default("1234.56"),
});
/** If `batch_id` is null, the file was rejected; `problems` lists the first of its `problem_count` errors. */
export const createdBatchResponseSchema = successEnvelope(
  z.object({ batch_id: z.uuid().nullable(), problems: z.array(problemSchema), problem_count: z.int() }),
);

/** Lines are looked up and quoted (`checking`), await confirmation (`ready`), and are then paid (`paying`). */
export const batchStateSchema = z.enum(["checking", "ready", "paying", "finished", "discarded"]);

const batchSchema = z.object({
  batch_id: z.uuid(),
  name: z.string(),
  state: batchStateSchema,
  created_by: z.string(),
  created_at: timestamp,
  confirmed_by: z.string().nullable(),
  confirmed_at: timestamp.nullable(),
  lines: z.int(),
});
export type ConsoleBatch = z.infer<typeof batchSchema>;
/** `GET …/payouts/batches`: newest first. */
export const batchListResponseSchema = successEnvelope(z.object({ batches: z.array(batchSchema) }));

/** The state of a line, or of its payout if it has one. */
export const batchLineStateSchema = z.enum([
  "checking",
  "ready",
  "paying",
  "completed",
  "pending",
  "rejected",
  "failed",
]);
export type BatchLineState = z.infer<typeof batchLineStateSchema>;

/** `GET …/payouts/batches/{batch}`. */
export const batchResponseSchema = successEnvelope(
  batchSchema.extend({
    /** Number of the round of quotes, to be sent back with the confirmation. */
    round: z.int(),
    /** Number of lines with the same recipient, amount and currencies as an earlier line of this or another file. */
    repeats: z.int(),
    counts: z.partialRecord(batchLineStateSchema, z.int()),
    /** Cost of the ready lines; `wallet`: the balance, null without a wallet. */
    totals: z.array(
      z.object({
        lines: z.int(),
        money: consoleMoneySchema,
        fee: consoleMoneySchema,
        total: consoleMoneySchema,
        wallet: consoleMoneySchema.nullable(),
        enough: z.boolean(),
      }),
    ),
  }),
);

/** `GET …/payouts/batches/{batch}/lines`: in file order; `after` is the `next` of the previous page. */
export const batchLinesQuerySchema = z.object({
  state: batchLineStateSchema.optional(),
  after: z
    .string({ error: "must be given once" })
    .regex(/^\d{1,6}$/, { error: INVALID_CURSOR_TEXT })
    .optional(),
});
export const batchLineSchema = z.object({
  line: z.int(),
  id: z.string(),
  state: batchLineStateSchema,
  /** As in the file, masked. */
  recipient: z.string(),
  recipient_name: z.string().nullable(),
  money: consoleMoneySchema,
  fee: consoleMoneySchema.nullable(),
  received: consoleMoneySchema.nullable(),
  description: z.string().nullable(),
  failure: z.string().nullable(),
  payout_id: z.string().nullable(),
  same_as: z.object({ batch_id: z.uuid(), name: z.string(), line: z.int() }).nullable(),
});
export type ConsoleBatchLine = z.infer<typeof batchLineSchema>;
export const batchLinesResponseSchema = successEnvelope(
  z.object({ lines: z.array(batchLineSchema), next: z.string().nullable() }),
);

/** `POST …/payouts/batches/{batch}/confirm`: pays the ready lines at the quotes of this round. */
export const confirmBatchRequestSchema = z.object({ round: z.int({ error: "must be a whole number" }) });
/** `…/confirm`, `…/again` and `…/discard`: the number of affected lines. */
export const batchChangedResponseSchema = successEnvelope(z.object({ lines: z.int() }));

/** `GET …/payouts/batches/{batch}/result.csv` */
export const BATCH_RESULT_COLUMNS = [
  "line",
  "id",
  "recipient",
  "amount",
  "currency",
  "receiver_currency",
  "description",
  "status",
  "reason",
  "fee",
  "received_amount",
  "payout_id",
  "trx_id",
] as const;
