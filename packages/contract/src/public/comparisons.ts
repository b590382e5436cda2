import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { FieldRule, wholeNumberRule } from "../errors/field-errors.js";
import {
  booleanField,
  boundedList,
  oneOf,
  optional,
  optionalDay,
  optionalShortWebAddress,
  optionalText,
  requiredOr,
  text,
} from "../fields.js";
import { MAX_COMPARED_ORDERS } from "../limits.js";

const MAX_TEXT_LENGTH = 64;
const MAX_TRANSACTION_LENGTH = 255;
const MAX_ORDER_ENTRIES = 100;
/** A difference's text may name every refund of an order. */
const MAX_DIFFERENCE_TEXT_LENGTH = 10_000;
/** About 31 years. */
const MAX_AGE_SECONDS = 1_000_000_000;

export const RECORDED_STATUSES = ["PENDING", "EXPIRED", "CANCELLED", "PAID", "REFUNDED"] as const;

/** The statuses in the plugins' rules, except `deleted`. */
export const SHOP_ORDER_STATUSES = [
  "pending",
  "on-hold",
  "failed",
  "cancelled",
  "processing",
  "completed",
  "refunded",
  "trash",
  "other",
] as const;

export const SENT_STATES = [
  "no",
  "calling",
  "pending",
  "completed",
  "failed",
  "refused",
  "ignored",
  "unknown",
] as const;

/** `order`: a payment and its shop order. `refund`: a completed refund. `record`: a shop's refund. */
export const DIFFERENCE_SUBJECTS = ["order", "refund", "record"] as const;
export const DIFFERENCE_FIELDS = [
  "state",
  "transaction",
  "amount",
  "currency",
  "refunded",
  "refund",
] as const;
export const DIFFERENCE_KINDS = [
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
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];
/** No repair moves money. */
export const DIFFERENCE_REPAIRS = ["apply_order", "cancel_open", "record_refund"] as const;
export type DifferenceRepair = (typeof DIFFERENCE_REPAIRS)[number];

const isEachOnce = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;

const shopRefund = z
  .strictObject({
    id: text(MAX_TEXT_LENGTH).describe("The refund's ID in the shop."),
    amount: text(MAX_TEXT_LENGTH).describe("As the shop has it. An unreadable amount counts as different."),
    refund_id: optionalText(MAX_TEXT_LENGTH).describe("The Tillgate refund that it belongs to, if known."),
    reference: optionalText(MAX_TRANSACTION_LENGTH).describe("The `reference` that it was sent with."),
    mentioned_refund_id: optionalText(MAX_TEXT_LENGTH).describe("A Tillgate refund that its reason names."),
    sent: oneOf(SENT_STATES).describe(
      "`no` if the shop didn't send it, `calling` while the response is awaited, `unknown` if it was abandoned, `ignored` if the shop doesn't send refunds.",
    ),
  })
  .describe("A refund in the shop.");

const shopOrder = z
  .strictObject(
    {
      status: text(MAX_TEXT_LENGTH).describe("As the shop names it."),
      counts_as: oneOf(SHOP_ORDER_STATUSES).describe("The status that it is compared as."),
      total: text(MAX_TEXT_LENGTH).describe(
        "As the shop has it; trailing zeros are no difference. An unreadable total counts as different.",
      ),
      currency: text(MAX_TEXT_LENGTH).describe("ISO 4217 code."),
      pays_with_tillgate: booleanField.describe("Whether Tillgate is its payment method."),
      trx_id: optionalText(MAX_TRANSACTION_LENGTH).describe("The transaction ID that the order has, if any."),
      changed_seconds_ago: optional(
        z.int({ error: FieldRule.WholeSeconds.text }).min(-MAX_AGE_SECONDS).max(MAX_AGE_SECONDS),
      ).describe("Seconds since its last change, by the shop's clock."),
      refunds: boundedList(shopRefund, MAX_ORDER_ENTRIES)
        .refine((refunds) => isEachOnce(refunds.map(({ id }) => id)), {
          error: FieldRule.NotRepeated.text,
        })
        .describe("Its refunds, each ID once."),
    },
    { error: requiredOr("must be an object or null") },
  )
  .nullable();

const acceptedDifference = z.strictObject(
  {
    subject: oneOf(DIFFERENCE_SUBJECTS),
    subject_id: text(MAX_TEXT_LENGTH),
    field: oneOf(DIFFERENCE_FIELDS),
    kind: oneOf(DIFFERENCE_KINDS),
    text: text(MAX_DIFFERENCE_TEXT_LENGTH),
  },
  { error: "must be an object" },
);

export const comparedOrderSchema = z.strictObject(
  {
    order_id: text(MAX_TEXT_LENGTH).describe("The order in Tillgate: one payment of the shop's order."),
    order_number: text(MAX_TEXT_LENGTH).describe("The shop's order number."),
    order_url: optionalShortWebAddress.describe(
      "The URL of the order in the shop's administration, for people.",
    ),
    current: booleanField.describe("Whether it is the current payment of the shop's order."),
    recorded: oneOf(RECORDED_STATUSES).describe("The status that the shop has applied to its order."),
    amount: text(MAX_TEXT_LENGTH).describe("The payment's amount as the shop sent it, as a decimal string."),
    currency: text(MAX_TEXT_LENGTH).describe("The payment's currency."),
    other_trx_ids: boundedList(text(MAX_TRANSACTION_LENGTH), MAX_ORDER_ENTRIES).describe(
      "The transaction IDs of the other payments of the shop's order.",
    ),
    shop_order: shopOrder.describe("The order in the shop; null if it was deleted there."),
    recorded_refund_ids: boundedList(text(MAX_TEXT_LENGTH), MAX_ORDER_ENTRIES).describe(
      "The Tillgate refunds whose outcome the shop has applied.",
    ),
    accepted: optional(boundedList(acceptedDifference, MAX_ORDER_ENTRIES)).describe(
      "The order's differences that someone marked as correct in the shop, with these fields as in an earlier response. A difference that has changed since, for example in its amount, is not accepted.",
    ),
  },
  { error: "must be an object" },
);
export type ComparedOrder = z.output<typeof comparedOrderSchema>;

const count = z
  .int({ error: requiredOr(wholeNumberRule(0, 1_000_000_000).text) })
  .min(0, { error: wholeNumberRule(0, 1_000_000_000).text })
  .max(1_000_000_000, { error: wholeNumberRule(0, 1_000_000_000).text });

const progress = z.strictObject(
  {
    compared: count.describe("Orders compared in this run, including those of this call."),
    skipped: count.describe("Orders skipped in this run, including those of this call."),
    completed: booleanField.describe("Whether this is the last call of the run."),
  },
  { error: "must be an object" },
);

const callFields = {
  orders: boundedList(comparedOrderSchema, MAX_COMPARED_ORDERS).describe(
    "The orders to compare, each ID once.",
  ),
  skipped_orders: optional(boundedList(text(MAX_TEXT_LENGTH), MAX_COMPARED_ORDERS)).describe(
    "IDs of orders that the shop couldn't read. Their earlier differences are kept.",
  ),
  progress: optional(progress).describe(
    "The run's totals so far. Omit it to compare single orders outside a run.",
  ),
};

/** `PUT /comparisons/{day}` */
export const comparisonBodySchema = z.strictObject(callFields);
export type ComparisonInput = z.input<typeof comparisonBodySchema>;

/** `PUT /comparisons/{day}`, with the day from the path. The route validates the orders in chunks, because there may be thousands. */
export const comparisonCallSchema = z
  .strictObject({
    ...callFields,
    day: optionalDay.unwrap(),
    orders: boundedList(z.unknown(), MAX_COMPARED_ORDERS),
  })
  .superRefine(({ orders, skipped_orders: skipped = [], progress }, context) => {
    const requireTotal = (name: "compared" | "skipped", least: number) => {
      if (progress !== undefined && progress[name] < least)
        context.addIssue({ code: "custom", path: ["progress", name], message: FieldRule.NoLess.text });
    };
    requireTotal("compared", orders.length);
    requireTotal("skipped", skipped.length);
  });
export type ComparisonRequest = Omit<z.output<typeof comparisonCallSchema>, "orders"> & {
  orders: ComparedOrder[];
};

export const orderDifferenceSchema = z.object({
  subject: z
    .enum(DIFFERENCE_SUBJECTS)
    .describe(
      "`order`: the payment and its shop order. `refund`: a Tillgate refund. `record`: a shop's refund.",
    ),
  subject_id: z.string().describe("The order in Tillgate, the Tillgate refund, or the shop's refund."),
  field: z.enum(DIFFERENCE_FIELDS).describe("What differs. A subject has at most one difference per field."),
  kind: z.enum(DIFFERENCE_KINDS).describe("The kind of difference, for programs."),
  repair: z
    .enum(DIFFERENCE_REPAIRS)
    .nullable()
    .describe("What the shop can do when a person asks for it; null if a person must decide."),
  text: z.string().describe("The difference, in English."),
  advice: z.string().describe("What to do about it, in English."),
  values: z
    .record(z.string(), z.string())
    .describe("The values in the text, by placeholder, for writing the text in another language."),
  accepted: z
    .boolean()
    .describe("Whether the shop sent it as `accepted`. The console doesn't show accepted differences."),
});
export type OrderDifference = z.infer<typeof orderDifferenceSchema>;

export const comparisonSchema = z.object({
  orders: z
    .array(
      z.object({
        order_id: z.string().describe("The order, as sent."),
        differences: z.array(orderDifferenceSchema),
      }),
    )
    .describe("The orders with differences, in the order in which they were sent."),
});
export type Comparison = z.infer<typeof comparisonSchema>;
export const comparisonResponseSchema = successEnvelope(comparisonSchema);
