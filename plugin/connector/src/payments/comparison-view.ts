import { repairs } from "../comparison-rules.js";
import type { ConnectorSettings } from "../settings.js";
import type { ConnectorContext } from "./context.js";

/** Differences that are listed; there may be more. */
const MAX_DIFFERENCES = 50;

/** What the comparison of the books came to, for machines and for people. */
export type ComparisonView = {
  store: string;
  /** Null where the store was never compared. */
  last: {
    asked_by: "night" | "person";
    under_way: boolean;
    started_at: string;
    ended_at: string | null;
    /** Payments. */
    compared: number;
    skipped: number;
  } | null;
  /** Of how many days the payments are compared. */
  days: number;
  /** Differences that the owner did not accept. */
  difference_count: number;
  accepted_count: number;
  differences: {
    payment_id: number;
    order_id: number;
    order_number: string;
    /** Address of the order in the store's administration. */
    order_url: string;
    subject: "order" | "refund" | "record";
    subject_id: string;
    field: string;
    kind: string;
    text: string;
    advice: string;
    /** What one press does, and what is written on its button; null where only a person can decide. */
    repair: string | null;
    repair_label: string | null;
    found_at: string;
  }[];
};

/** @returns the address of an order in the store's administration, for both kinds of order storage */
export const orderUrl = ({ siteUrl }: Pick<ConnectorSettings, "siteUrl">, id: number): string =>
  `${siteUrl}/wp-admin/post.php?post=${id}&action=edit`;

export async function comparisonView({
  comparison,
  comparisons,
  payments,
  settings,
}: ConnectorContext): Promise<ComparisonView> {
  const [run, count, differences] = await Promise.all([
    comparisons.last(),
    comparisons.countDifferences(),
    comparisons.differences(MAX_DIFFERENCES),
  ]);
  const numbers = await payments.orderNumbers(differences.map(({ storeOrderId }) => storeOrderId));
  return {
    store: settings.storeId,
    last:
      run === null || run.run === 0
        ? null
        : {
            asked_by: run.askedBy,
            under_way: run.endedAt === null,
            started_at: textOf(run.startedAt),
            ended_at: run.endedAt === null ? null : textOf(run.endedAt),
            compared: run.compared,
            skipped: run.skipped,
          },
    days: Math.round(settings.compareBackMs / DAY_MS),
    difference_count: count.open,
    accepted_count: count.accepted,
    differences: differences.map((one) => {
      const repair = repairs.find((known) => known === one.repair) ?? null;
      return {
        payment_id: one.paymentId,
        order_id: one.storeOrderId,
        order_number: numbers.get(one.storeOrderId) ?? String(one.storeOrderId),
        order_url: orderUrl(settings, one.storeOrderId),
        subject: one.subject,
        subject_id: one.subjectId,
        field: one.field,
        kind: one.kind,
        text: one.text,
        advice: one.advice,
        repair,
        repair_label: repair === null ? null : comparison.label(repair),
        found_at: textOf(one.foundAt),
      };
    }),
  };
}

const DAY_MS = 24 * 60 * 60_000;

const textOf = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, "+00:00");
