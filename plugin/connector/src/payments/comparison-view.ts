import { DIFFERENCE_REPAIRS } from "@tillgate/contract";
import type { KnownDifference } from "../records/records.js";
import { repairLabels } from "../repair-labels.js";
import { orderUrl } from "./collect-order.js";
import type { ConnectorContext } from "./context.js";

const MAX_DIFFERENCES = 50;

export type ComparisonView = {
  store: string;
  /** Null before the first comparison. */
  last: {
    asked_by: "night" | "person";
    under_way: boolean;
    started_at: string;
    ended_at: string | null;
    /** Number of compared payments. `skipped` counts payments that could not be compared. */
    compared: number;
    skipped: number;
  } | null;
  /** Age limit of compared payments without a difference, in days. */
  days: number;
  /** Excludes accepted differences. */
  difference_count: number;
  accepted_count: number;
  differences: {
    payment_id: number;
    order_id: number;
    order_number: string;
    order_url: string;
    subject: KnownDifference["subject"];
    subject_id: string;
    field: KnownDifference["field"];
    kind: KnownDifference["kind"];
    text: string;
    advice: string;
    /** Null if there is no repair that this version knows. */
    repair: string | null;
    repair_label: string | null;
    found_at: string;
  }[];
};

export async function comparisonView({
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
            started_at: toIsoTime(run.startedAt),
            ended_at: run.endedAt === null ? null : toIsoTime(run.endedAt),
            compared: run.compared,
            skipped: run.skipped,
          },
    days: Math.round(settings.compareBackMs / DAY_MS),
    difference_count: count.open,
    accepted_count: count.accepted,
    differences: differences.map((difference) => {
      const repair = DIFFERENCE_REPAIRS.find((known) => known === difference.repair) ?? null;
      return {
        payment_id: difference.paymentId,
        order_id: difference.storeOrderId,
        order_number: numbers.get(difference.storeOrderId) ?? String(difference.storeOrderId),
        order_url: orderUrl(settings, difference.storeOrderId),
        subject: difference.subject,
        subject_id: difference.subjectId,
        field: difference.field,
        kind: difference.kind,
        text: difference.text,
        advice: difference.advice,
        repair,
        repair_label: repair === null ? null : repairLabels[repair].label,
        found_at: toIsoTime(difference.foundAt),
      };
    }),
  };
}

const DAY_MS = 24 * 60 * 60_000;

const toIsoTime = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, "+00:00");
