import { z } from "zod";
import { type ClockDifferences, clockWarning } from "../health/clocks.js";
import type { ProblemKind } from "../health/reporter.js";
import type { Report } from "../records/records.js";
import { orderUrl } from "./collect-order.js";
import { type ComparisonView, comparisonView } from "./comparison-view.js";
import type { ConnectorContext } from "./context.js";
import { refreshStoreWebhook } from "./store-webhook.js";

const MAX_PROBLEMS = 50;
/** Sweeps are overdue after this many intervals. */
const LATE_INTERVALS = 3;

const reportSchemas = {
  last_webhook: z.object({ outcome: z.string(), event: z.string().nullable() }),
  last_store_webhook: z.object({ outcome: z.string() }),
  last_sweep: z.object({ seconds: z.number(), failed: z.array(z.string()) }),
  last_error: z.object({
    doing: z.string(),
    order: z.number().nullable(),
    cause: z.string(),
    words: z.string(),
    text: z.string(),
  }),
  store_webhook: z.object({ state: z.enum(["off", "active", "paused", "disabled", "missing"]) }),
  clocks: z.object({ store: z.number().optional(), tillgate: z.number().optional() }),
};
type Reports = {
  [Name in keyof typeof reportSchemas]:
    | (z.infer<(typeof reportSchemas)[Name]> & { at: string; age_ms: number })
    | null;
};

export type OrderName = { order_number: string | null; order_url: string | null };

/** The view contains no secrets. */
export type HealthView = {
  store: string;
  /** sandbox: no real money moves. */
  mode: "sandbox" | "live";
  /** `failing`: customers cannot pay, or sweeps are overdue. `attention`: the shop owner should act. */
  status: "ok" | "attention" | "failing";
  /** One sentence each on payments, webhooks and the comparison with Tillgate, and one more if only something else needs attention. */
  summary: string;
  can_pay: boolean;
  reports_arrive: boolean;
  books_agree: boolean;
  last_webhook: Reports["last_webhook"];
  last_store_webhook: Reports["last_store_webhook"];
  store_webhook: "unknown" | "off" | "active" | "paused" | "disabled" | "missing";
  last_sweep: Reports["last_sweep"];
  last_error: (NonNullable<Reports["last_error"]> & OrderName) | null;
  payments: { under_way: number; given_up: number };
  waiting_changes: number;
  /** How far each clock is ahead of this machine's clock, in seconds. */
  clocks: ClockDifferences & { warning: string | null };
  mismatches: number;
  problem_counts: Record<string, number>;
  problems: {
    kind: string;
    order_id: number | null;
    order_number: string | null;
    order_url: string | null;
    text: string;
    times: number;
    first_at: string;
    last_at: string;
  }[];
  comparison: ComparisonView;
};

export async function healthView(context: ConnectorContext): Promise<HealthView> {
  const { clocks, due, health, settings } = context;
  const { storeId } = settings;
  await refreshStoreWebhook(context);
  const [reports, problems, counts, payments, waiting, comparison] = await Promise.all([
    health.reports(),
    health.problems(MAX_PROBLEMS),
    health.countProblems(),
    context.payments.count(),
    due.count("order"),
    comparisonView(context),
  ]);
  const error = readReport(reports, "last_error");
  const orderIds = [...problems.map(({ storeOrderId }) => storeOrderId), error?.order ?? null];
  const numbers = await context.payments.orderNumbers(orderIds.filter((id) => id !== null));
  const orderName = (id: number | null): OrderName =>
    id === null
      ? { order_number: null, order_url: null }
      : { order_number: numbers.get(id) ?? String(id), order_url: orderUrl(settings, id) };
  const lastSweep = readReport(reports, "last_sweep");
  const reported = readReport(reports, "clocks");
  // The last sweep may have run in another process; this process's own observations are more recent.
  const differences = {
    ...(reported?.store === undefined ? {} : { store: reported.store }),
    ...(reported?.tillgate === undefined ? {} : { tillgate: reported.tillgate }),
    ...clocks.differences(),
  };
  const warning = clockWarning(differences);
  const isLate = lastSweep === null || lastSweep.age_ms > LATE_INTERVALS * settings.sweepIntervalMs;
  const has = (...kinds: ProblemKind[]) => kinds.some((kind) => counts.has(kind));
  const flags = {
    can_pay: !has("site", "unreachable", "starts"),
    reports_arrive: !isLate && !has("site", "webhook_refused", "given_up"),
    books_agree:
      comparison.difference_count === 0 && !has("mismatch", "refund_refused", "refund_failed", "books"),
  };
  const needsPerson = counts.size > 0 || warning !== null;
  return {
    store: storeId,
    mode: settings.credentials[0].mode,
    ...flags,
    status: !flags.can_pay || isLate ? "failing" : needsPerson || !flags.books_agree ? "attention" : "ok",
    summary: summarySentences(flags, { isLate, needsPerson }).join(" "),
    last_webhook: readReport(reports, "last_webhook"),
    last_store_webhook: readReport(reports, "last_store_webhook"),
    store_webhook: readReport(reports, "store_webhook")?.state ?? "unknown",
    last_sweep: lastSweep,
    last_error: error === null ? null : { ...error, ...orderName(error.order) },
    payments: { under_way: payments.underWay, given_up: payments.givenUp },
    waiting_changes: waiting,
    clocks: { ...differences, warning },
    mismatches: counts.get("mismatch") ?? 0,
    problem_counts: Object.fromEntries(counts),
    problems: problems.map((problem) => ({
      kind: problem.kind,
      order_id: problem.storeOrderId,
      ...orderName(problem.storeOrderId),
      text: problem.text,
      times: problem.times,
      first_at: toIsoTime(problem.firstAt),
      last_at: toIsoTime(problem.lastAt),
    })),
    comparison,
  };
}

function summarySentences(
  { can_pay, reports_arrive, books_agree }: Pick<HealthView, "can_pay" | "reports_arrive" | "books_agree">,
  { isLate, needsPerson }: { isLate: boolean; needsPerson: boolean },
): string[] {
  const isWell = can_pay && reports_arrive && books_agree;
  return [
    can_pay ? "Customers can pay." : "Some or all customers can’t pay with Tillgate.",
    reports_arrive
      ? "No problems with webhooks."
      : isLate
        ? "Missed webhooks aren’t being recovered."
        : "There are problems with webhooks.",
    books_agree
      ? "No known differences from Tillgate."
      : "Some orders don’t match Tillgate or need attention.",
    ...(isWell && needsPerson ? ["Something needs your attention."] : []),
  ];
}

function readReport<Name extends keyof Reports>(reports: Report[], name: Name): Reports[Name];
function readReport(reports: Report[], name: keyof Reports): object | null {
  const report = reports.find((candidate) => candidate.name === name);
  if (report === undefined) return null;
  // A report in another version's format is ignored.
  const parsed = reportSchemas[name].safeParse(JSON.parse(report.value));
  return parsed.success
    ? { ...parsed.data, at: toIsoTime(report.reportedAt), age_ms: Math.round(report.ageMs) }
    : null;
}

const toIsoTime = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, "+00:00");
