import { SHOP_ORDER_STATUSES } from "@tillgate/contract";
import { z } from "zod";

/** Schema of `plugin/rules/transitions.json`, and the names that the file may use. */

export const paymentEvents = [
  "pos.order.paid",
  "pos.order.expired",
  "pos.order.cancelled",
  "pos.order.refunded",
  "refund.completed",
  "refund.failed",
  "store.changed",
  "store.refunded",
] as const;
export type PaymentEventName = (typeof paymentEvents)[number];

export const statuses = [...SHOP_ORDER_STATUSES, "deleted"] as const;
/** A store order's status in the rules. `other`: a custom status in which the order cannot be paid and does not count as paid. */
export type RuleStatus = (typeof statuses)[number];

/** WooCommerce's own names of its statuses. */
const statusNames: Readonly<Record<string, string>> = {
  pending: "Pending payment",
  "on-hold": "On hold",
  failed: "Failed",
  cancelled: "Cancelled",
  processing: "Processing",
  completed: "Completed",
  refunded: "Refunded",
  trash: "Trash",
  deleted: "Deleted",
} satisfies Record<Exclude<RuleStatus, "other">, string>;

/** A custom status is returned unchanged, because only the shop knows its name. */
export const statusName = (status: string): string => statusNames[status] ?? status;

export const conditionValues = {
  event: paymentEvents,
  status: statuses,
  attempt: ["current", "older"],
  method: ["tillgate", "other"],
  payment: ["none", "this", "other"],
  amount: ["same", "different"],
  cancelled_by: ["connector", "other"],
  origin: ["tillgate", "store"],
  delivery: ["first", "repeated"],
} as const;
type ConditionName = keyof typeof conditionValues;

export type Situation = { [Name in ConditionName]: (typeof conditionValues)[Name][number] };

const actions = [
  "none",
  "complete_payment",
  "set_processing",
  "record_transaction",
  "hold",
  "refund_payment",
  "fail",
  "fail_over_pending",
  "cancel",
  "record_refunds",
  "link_refund",
  "refund_at_tillgate",
  "apply_paid_first",
  "cancel_attempt",
] as const;
export type Action = (typeof actions)[number];

export const placeholders = [
  "amount",
  "trx_id",
  "tillgate_order",
  "status",
  "store_total",
  "requested_amount",
  "paid_reference",
  "order_number",
  "difference",
  "refund",
  "store_refund",
  "reason",
  "result",
  "event",
  "times",
  "payment",
] as const;
export type NoteFields = Record<(typeof placeholders)[number], string>;

/** The first difference that applies is reported. */
export const differences = ["order_total", "requested", "reference"] as const;
export type Difference = (typeof differences)[number];

const optionalValues = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.array(z.enum(values)).min(1).optional();

const whenSchema = z.strictObject({
  event: z.array(z.enum(conditionValues.event)).min(1),
  status: optionalValues(conditionValues.status),
  attempt: optionalValues(conditionValues.attempt),
  method: optionalValues(conditionValues.method),
  payment: optionalValues(conditionValues.payment),
  amount: optionalValues(conditionValues.amount),
  cancelled_by: optionalValues(conditionValues.cancelled_by),
  origin: optionalValues(conditionValues.origin),
  delivery: optionalValues(conditionValues.delivery),
});

const template = z
  .string()
  .min(1)
  .refine(
    (text) =>
      [...text.matchAll(/\{(\w+)\}/g)].every(([, name]) => placeholders.some((known) => known === name)),
    { error: "has an unknown placeholder" },
  );

const conditionSchema = z.strictObject({ about: z.string(), values: z.array(z.string()) });

export const rulesSchema = z.strictObject({
  version: z.literal(1),
  about: z.string(),
  conditions: z.strictObject({
    event: conditionSchema,
    status: conditionSchema,
    attempt: conditionSchema,
    method: conditionSchema,
    payment: conditionSchema,
    amount: conditionSchema,
    cancelled_by: conditionSchema,
    origin: conditionSchema,
    delivery: conditionSchema,
  }),
  actions: z.record(z.enum(actions), z.string()),
  notes: z.record(z.string(), template),
  phrases: z.record(z.string(), template),
  differences: z.record(z.enum(differences), template),
  reasons: z.record(z.string(), template),
  rules: z
    .array(
      z.strictObject({
        when: whenSchema,
        action: z.enum(actions),
        note: z.string().optional(),
        reason: z.string().optional(),
        cancel_current: z.boolean().optional(),
        attention: z.literal(true).optional(),
      }),
    )
    .min(1),
});
export type RuleFile = z.infer<typeof rulesSchema>;
