import { z } from "zod";
import { type ClockDifferences, clockWarning } from "../health/clocks.js";
import type { ProblemKind } from "../health/reporter.js";
import type { Report } from "../records/records.js";
import { type ComparisonView, comparisonView, orderUrl } from "./comparison-view.js";
import type { ConnectorContext } from "./context.js";
import { readWebhookOfStore } from "./store-webhook.js";

/** Problems that are listed; there may be more. */
const MAX_PROBLEMS = 50;
/** A sweep that ended longer ago than this many of its rhythms is late. */
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

/** An order as people know it. */
export type OrderName = { order_number: string | null; order_url: string | null };

/** The health of one store's connector: for machines and for people. Holds no secret. */
export type HealthView = {
  store: string;
  /** sandbox: no real money moves. */
  mode: "sandbox" | "live";
  /** `failing`: it does not sweep. `attention`: a person should look. */
  status: "ok" | "attention" | "failing";
  /** Whether customers can pay, reports of Tillgate arrive and the books agree, in one sentence. */
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
  /** Seconds ahead of this machine's clock. */
  clocks: ClockDifferences & { warning: string | null };
  mismatches: number;
  problem_counts: Record<string, number>;
  problems: {
    kind: string;
    order_id: number | null;
    order_number: string | null;
    /** Where the order is in the store's administration. */
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
  await readWebhookOfStore(context);
  const [reports, problems, counts, payments, waiting, comparison] = await Promise.all([
    health.reports(),
    health.problems(MAX_PROBLEMS),
    health.countProblems(),
    context.payments.count(),
    due.count("order"),
    comparisonView(context),
  ]);
  const error = read(reports, "last_error");
  const named = [...problems.map(({ storeOrderId }) => storeOrderId), error?.order ?? null];
  const numbers = await context.payments.orderNumbers(named.filter((id) => id !== null));
  const nameOf = (id: number | null): OrderName =>
    id === null
      ? { order_number: null, order_url: null }
      : { order_number: numbers.get(id) ?? String(id), order_url: orderUrl(settings, id) };
  const lastSweep = read(reports, "last_sweep");
  const reported = read(reports, "clocks");
  // Another process may have swept; this one's own observations are newer.
  const differences = {
    ...(reported?.store === undefined ? {} : { store: reported.store }),
    ...(reported?.tillgate === undefined ? {} : { tillgate: reported.tillgate }),
    ...clocks.differences(),
  };
  const warning = clockWarning(differences);
  const isLate = lastSweep === null || lastSweep.age_ms > LATE_INTERVALS * settings.sweepIntervalMs;
  const has = (...kinds: ProblemKind[]) => kinds.some((kind) => counts.has(kind));
  const answers = {
    can_pay: !has("site", "unreachable", "starts"),
    reports_arrive: !isLate && !has("site", "webhook_refused", "given_up"),
    books_agree:
      comparison.difference_count === 0 && !has("mismatch", "refund_refused", "refund_failed", "books"),
  };
  const needsPerson = counts.size > 0 || warning !== null;
  return {
    store: storeId,
    mode: settings.credentials[0].mode,
    ...answers,
    status: !answers.can_pay || isLate ? "failing" : needsPerson || !answers.books_agree ? "attention" : "ok",
    summary: summaryOf(answers, { isLate, needsPerson }),
    last_webhook: read(reports, "last_webhook"),
    last_store_webhook: read(reports, "last_store_webhook"),
    store_webhook: read(reports, "store_webhook")?.state ?? "unknown",
    last_sweep: lastSweep,
    last_error: error === null ? null : { ...error, ...nameOf(error.order) },
    payments: { under_way: payments.underWay, given_up: payments.givenUp },
    waiting_changes: waiting,
    clocks: { ...differences, warning },
    mismatches: counts.get("mismatch") ?? 0,
    problem_counts: Object.fromEntries(counts),
    problems: problems.map((problem) => ({
      kind: problem.kind,
      order_id: problem.storeOrderId,
      ...nameOf(problem.storeOrderId),
      text: problem.text,
      times: problem.times,
      first_at: textOf(problem.firstAt),
      last_at: textOf(problem.lastAt),
    })),
    comparison,
  };
}

function summaryOf(
  { can_pay, reports_arrive, books_agree }: Pick<HealthView, "can_pay" | "reports_arrive" | "books_agree">,
  { isLate, needsPerson }: { isLate: boolean; needsPerson: boolean },
): string {
  const sentence = [
    can_pay ? "Customers can pay" : "Some or all customers cannot pay",
    reports_arrive
      ? "webhooks from Tillgate arrive"
      : isLate
        ? "missed webhooks are not recovered"
        : "some webhooks from Tillgate do not arrive",
    books_agree ? "orders match Tillgate" : "some orders do not match Tillgate",
  ].join("; ");
  const isWell = can_pay && reports_arrive && books_agree;
  return `${sentence}.${isWell && needsPerson ? " Something needs your attention." : ""}`;
}

function read<Name extends keyof Reports>(reports: Report[], name: Name): Reports[Name];
function read(reports: Report[], name: keyof Reports): object | null {
  const report = reports.find((one) => one.name === name);
  if (report === undefined) return null;
  // One in another version's shape counts as none.
  const parsed = reportSchemas[name].safeParse(JSON.parse(report.value));
  return parsed.success
    ? { ...parsed.data, at: textOf(report.reportedAt), age_ms: Math.round(report.ageMs) }
    : null;
}

const textOf = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, "+00:00");
