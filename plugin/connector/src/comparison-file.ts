import { z } from "zod";
import { statuses } from "./rules-file.js";

/** Schema of `plugin/rules/comparison.json`, and the names it may use. */

/** Subjects of a comparison, with their conditions: a payment and its store order, a completed Tillgate refund, a refund record of the store. */
export const subjectConditions = {
  order: {
    tillgate: ["open", "ended", "paid", "refunded", "missing"],
    status: statuses,
    payment: ["none", "this", "sibling", "other"],
    attempt: ["current", "older"],
    method: ["tillgate", "other"],
    amount: ["same", "different"],
    currency: ["same", "different"],
    applied: ["yes", "no"],
    age: ["fresh", "settled"],
    sum: ["same", "different", "reported"],
  },
  refund: {
    record: ["none", "one", "several"],
    amount: ["same", "different"],
    status: statuses,
    room: ["yes", "no"],
    applied: ["yes", "no"],
    age: ["fresh", "settled"],
  },
  record: {
    sent: ["no", "calling", "pending", "completed", "failed", "refused", "ignored", "unknown"],
    age: ["fresh", "settled"],
  },
} as const;
export type Subject = keyof typeof subjectConditions;
export type SituationOf<S extends Subject> = {
  [Name in keyof (typeof subjectConditions)[S]]: (typeof subjectConditions)[S][Name] extends readonly (infer Value extends
    string)[]
    ? Value
    : never;
};

export const subjectFields = {
  order: ["state", "transaction", "amount", "currency", "refunded"],
  refund: ["refund"],
  record: ["refund"],
} as const;
export type Field = (typeof subjectFields)[Subject][number];

export const differenceKinds = [
  "missing_at_tillgate",
  "paid_shop_unpaid",
  "paid_shop_cancelled",
  "paid_shop_deleted",
  "paid_not_needed",
  "unpaid_shop_paid",
  "end_not_learned",
  "open_not_wanted",
  "open_over_another_amount",
  "transaction_missing",
  "transaction_differs",
  "transaction_unknown",
  "amount_differs",
  "currency_differs",
  "refunded_sum_differs",
  "refunded_in_shop_only",
  "refund_missing_in_shop",
  "refund_recorded_twice",
  "refund_amount_differs",
  "refund_only_in_shop",
  "refund_without_money",
  "refund_outcome_unknown",
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

export const repairs = ["apply_order", "cancel_open", "record_refund"] as const;
/** Repairs that the shop owner can run with one click. */
export type Repair = (typeof repairs)[number];

export const comparisonPlaceholders = [
  "status",
  "store_total",
  "amount",
  "trx_id",
  "transaction",
  "tillgate_order",
  "remote_status",
  "refunded",
  "store_refunded",
  "refund",
  "refund_amount",
  "store_refund",
  "store_refund_amount",
] as const;
/** Values for the placeholders in a difference's text. */
export type ComparisonFields = Record<(typeof comparisonPlaceholders)[number], string>;

const template = z
  .string()
  .min(1)
  .refine(
    (text) =>
      [...text.matchAll(/\{(\w+)\}/g)].every(([, name]) =>
        comparisonPlaceholders.some((known) => known === name),
      ),
    { error: "has an unknown placeholder" },
  );
const sentence = z.string().regex(/^[^{}]+$/, { error: "must not have a placeholder" });

const ruleSchema = z.strictObject({
  when: z.record(z.string(), z.array(z.string()).min(1)),
  difference: z.enum(differenceKinds).nullable(),
  repair: z.enum(repairs).optional(),
});
export type ComparisonRule = z.infer<typeof ruleSchema>;

const subjectSchema = z.strictObject({
  about: z.string(),
  conditions: z.record(z.string(), z.strictObject({ about: z.string(), values: z.array(z.string()) })),
  fields: z.record(z.string(), z.array(ruleSchema).min(1)),
});

export const comparisonSchema = z.strictObject({
  version: z.literal(1),
  about: z.string(),
  /** Seconds. */
  fresh_seconds: z.int().positive(),
  subjects: z.strictObject({ order: subjectSchema, refund: subjectSchema, record: subjectSchema }),
  differences: z.record(z.enum(differenceKinds), z.strictObject({ text: template, advice: sentence })),
  repairs: z.record(z.enum(repairs), z.strictObject({ label: sentence, about: sentence })),
  phrases: z.strictObject({ record: template, amount_unreadable: sentence }),
});
export type ComparisonFile = z.infer<typeof comparisonSchema>;
