import {
  DIFFERENCE_KINDS,
  DIFFERENCE_REPAIRS,
  type DIFFERENCE_SUBJECTS,
  SENT_STATES,
  SHOP_ORDER_STATUSES,
} from "@tillgate/contract";
import { z } from "zod";

/** Schema of `plugin/rules/comparison.json`, and the names it may use. */

const statuses = [...SHOP_ORDER_STATUSES, "deleted"] as const;

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
  record: { sent: SENT_STATES, age: ["fresh", "settled"] },
} as const;
export type Subject = (typeof DIFFERENCE_SUBJECTS)[number];
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

export const placeholders = [
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
export type Placeholder = (typeof placeholders)[number];
export type TextValues = { [Name in Placeholder]?: string };

const placeholderPattern = /\{(\w+)\}/g;
const isPlaceholder = (name: string | undefined): name is Placeholder =>
  placeholders.some((known) => known === name);

const text = z
  .string()
  .min(1)
  .refine((value) => [...value.matchAll(placeholderPattern)].every(([, name]) => isPlaceholder(name)), {
    error: "has an unknown placeholder",
  });
const sentence = z.string().regex(/^[^{}]+$/, { error: "must not have a placeholder" });

export const placeholdersOf = (value: string): Placeholder[] =>
  [...value.matchAll(placeholderPattern)].map(([, name]) => name).filter(isPlaceholder);

const subjectSchema = z.strictObject({
  about: z.string(),
  conditions: z.record(z.string(), z.strictObject({ about: z.string(), values: z.array(z.string()) })),
  fields: z.record(
    z.string(),
    z
      .array(
        z.strictObject({
          when: z.record(z.string(), z.array(z.string()).min(1)),
          difference: z.enum(DIFFERENCE_KINDS).nullable(),
          repair: z.enum(DIFFERENCE_REPAIRS).optional(),
        }),
      )
      .min(1),
  ),
});
export type RuledSubject = z.infer<typeof subjectSchema>;

export const rulesFileSchema = z.strictObject({
  version: z.literal(1),
  about: z.string(),
  fresh_seconds: z.int().positive(),
  subjects: z.strictObject({ order: subjectSchema, refund: subjectSchema, record: subjectSchema }),
  differences: z.record(z.enum(DIFFERENCE_KINDS), z.strictObject({ text, advice: sentence })),
  repairs: z.record(z.enum(DIFFERENCE_REPAIRS), z.strictObject({ label: sentence, about: sentence })),
  phrases: z.strictObject({ record: text, amount_unreadable: sentence }),
});
