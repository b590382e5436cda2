import { TillgateApiError } from "@tillgate/client";
import type { Refund } from "@tillgate/contract";
import { z } from "zod";
import { clockWarning } from "../health/clocks.js";
import { likelyCause } from "../health/likely-cause.js";
import { errorText } from "../health/reporter.js";
import { fill } from "../health/texts.js";
import { withClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { type DrainResult, drainDue } from "./drain-due.js";
import { followOpenRefunds } from "./follow-refunds.js";
import { scheduleChecks } from "./schedule-checks.js";
import { checkOrders, checkPayments, checkRefunds } from "./scheduled-checks.js";
import { checkStoreWebhook } from "./store-webhook.js";

const PER_PAGE = 100;
/** Initial look-back for Tillgate's refunds, in milliseconds. Longer than Tillgate retries a delivery. */
const REFUNDS_LOOK_BACK_MS = 4 * 24 * 60 * 60_000;

/**
 * Refunds up to `since` were read. If the list is too long for one sweep, the next sweep continues at the page cursor `walk.place`; after
 * the last page, `since` becomes `walk.newest`.
 */
const cursorSchema = z.object({
  since: z.coerce.date(),
  walk: z.object({ place: z.string(), newest: z.coerce.date() }).optional(),
});

type RefundsCursor = z.infer<typeof cursorSchema>;

/** Schedules checks of new refunds, in case a `refund.completed` event was lost. Only one process at a time reads them. */
async function readNewRefunds(context: ConnectorContext): Promise<void> {
  await withClaim(context, `refunds:${context.settings.storeId}`, 0, (claim) =>
    readRefunds(context, () => claim.extend()),
  );
}

async function readRefunds(context: ConnectorContext, extendClaim: () => Promise<void>): Promise<void> {
  const { clocks, cursors } = context;
  const stored = await cursors.read("refunds");
  const cursor: RefundsCursor =
    stored === null
      ? { since: new Date(clocks.nowMs("tillgate") - REFUNDS_LOOK_BACK_MS) }
      : cursorSchema.parse(JSON.parse(stored));
  try {
    await readPages(context, extendClaim, cursor);
  } catch (error) {
    // The store has since switched to another client or mode, for which the stored page cursor is invalid.
    const isLost = error instanceof TillgateApiError && error.param === "cursor";
    if (!isLost || cursor.walk === undefined) throw error;
    await readPages(context, extendClaim, { since: cursor.since });
  }
}

async function readPages(
  context: ConnectorContext,
  extendClaim: () => Promise<void>,
  { since: readUpTo, walk }: RefundsCursor,
): Promise<void> {
  const { cursors, reporter, settings, tillgate } = context;
  const since = new Date(readUpTo.getTime() - settings.refundOverlapMs);
  const query = { from_date: toDay(since), per_page: PER_PAGE };
  const pages = tillgate.refunds.pages(walk === undefined ? query : { ...query, cursor: walk.place });
  // Taken from the first page only, so that refunds added during the walk are read next time.
  let newest = walk?.newest;
  let read = 0;
  for await (const { items, next } of pages) {
    const within = items.filter(({ created_at }) => new Date(created_at) >= since);
    await extendClaim();
    await followOpenRefunds(context, within);
    newest ??= findNewest(within, readUpTo);
    read += 1;
    if (within.length < items.length || next === null) {
      await cursors.write("refunds", JSON.stringify({ since: newest }));
      await reporter.resolveProblem("behind", "refunds");
      return;
    }
    if (read === settings.refundMaxPages) {
      await cursors.write("refunds", JSON.stringify({ since: readUpTo, walk: { place: next, newest } }));
      await reporter.reportProblem({
        kind: "behind",
        subject: "refunds",
        text: "Tillgate has many new refunds. The remaining ones are processed in the next few minutes.",
      });
      return;
    }
  }
}

const toDay = (time: Date): string => time.toISOString().slice(0, 10);

const findNewest = (refunds: Refund[], before: Date): Date =>
  refunds.reduce((newest, { created_at }) => {
    const at = new Date(created_at);
    return at > newest ? at : newest;
  }, before);

/** Initial look-back for the store's changes, in milliseconds. Longer than a payment can be open. */
const CHANGES_LOOK_BACK_MS = 2 * 60 * 60_000;
/** The store's times have whole seconds, and its filter is exclusive. */
const SECOND_MS = 1000;

/** Schedules checks of orders that changed in the shop. Only one process at a time reads the changes. */
async function readStoreChanges(context: ConnectorContext): Promise<void> {
  await withClaim(context, `changes:${context.settings.storeId}`, 0, (claim) =>
    readChanges(context, () => claim.extend()),
  );
}

async function readChanges(context: ConnectorContext, extendClaim: () => Promise<void>): Promise<void> {
  const { payments, clocks, cursors, reporter, settings, store } = context;
  const stored = await cursors.read("changes");
  // The cursor never passes the store's clock. Otherwise, an order dated in the future would hide all changes until its date.
  const nowMs = clocks.nowMs("store");
  const storedMs = stored === null ? Number.POSITIVE_INFINITY : Date.parse(stored);
  const cursor = new Date(storedMs > nowMs ? nowMs - CHANGES_LOOK_BACK_MS : storedMs);
  let since = new Date(cursor.getTime() - settings.storeOverlapMs);
  let newest = cursor;
  let skipped = 0;
  let page = 1;
  for (let read = 0; read < settings.storeMaxPages; read += 1) {
    const { changes, skipped: unreadable, isLast } = await store.ordersModifiedAfter(since, page);
    skipped += unreadable;
    const orderIds = await payments.knownOrders(changes.map(({ id }) => id));
    await extendClaim();
    await scheduleChecks(context, orderIds, 0);
    const times = changes.flatMap(({ modifiedAt }) => (modifiedAt === null ? [] : [modifiedAt.getTime()]));
    const last = new Date(Math.min(clocks.nowMs("store"), Math.max(newest.getTime(), ...times)));
    if (last > newest) {
      newest = last;
      await cursors.write("changes", newest.toISOString());
    }
    if (isLast) {
      await reporter.resolveProblem("behind", "changes");
      await reportSkipped(context, skipped);
      return;
    }
    // Continue from the last time, not the next page: if an order changes and moves to the end, an unread order moves to a page already read.
    const next = new Date(Math.max(...times) - SECOND_MS);
    if (times.length > 0 && next > since) {
      since = next;
      page = 1;
    } else page += 1;
  }
  await reporter.reportProblem({
    kind: "behind",
    subject: "changes",
    text: "The shop has many changed orders. The remaining ones are processed in the next few minutes.",
  });
}

/** Reports changed orders that could not be read. Only the checks of their payments still cover them. */
async function reportSkipped({ reporter }: ConnectorContext, skipped: number): Promise<void> {
  if (skipped === 0) return reporter.resolveProblem("skipped", "changes");
  await reporter.reportProblem({
    kind: "skipped",
    subject: "changes",
    text: fill(
      "Changed orders in the shop that couldn’t be read and were skipped: {count}. A plugin may have modified the shop’s REST API.",
      { count: skipped },
    ),
  });
}

export type SweepOutcome = DrainResult & {
  /** Steps that failed entirely, for example because the store or Tillgate was unavailable. */
  stepsFailed: number;
};

/**
 * Finds changes whose webhooks were lost, runs the checks that are due, and deletes old records. The steps are independent; the next sweep
 * retries a failed step.
 * @returns counts of the open payments checked, and of the failed steps
 */
export async function sweep(context: ConnectorContext): Promise<SweepOutcome> {
  const { events, health, log, reporter, requests, settings } = context;
  const outcome: SweepOutcome = { checked: 0, failed: 0, abandoned: 0, stepsFailed: 0 };
  const steps: [doing: string, step: () => Promise<unknown>][] = [
    ["checking open payments", async () => Object.assign(outcome, await drainDue(context, checkPayments))],
    ["reading the shop’s changes", () => readStoreChanges(context)],
    ["processing changes in the shop", () => drainDue(context, checkOrders)],
    ["reading Tillgate’s refunds", () => readNewRefunds(context)],
    ["recording refunds in the shop", () => drainDue(context, checkRefunds)],
    ["checking the shop’s webhook", () => checkStoreWebhook(context)],
    ["comparing the clocks", () => compareClocks(context)],
    ["deleting expired rate limits", () => requests.prune()],
    ["deleting old events", () => events.prune(settings.keepEventsMs)],
    ["deleting old problems", () => health.prune(settings.keepProblemsMs)],
  ];
  const startedMs = performance.now();
  const failed: string[] = [];
  const unreachable = new Map<"store" | "tillgate", string>();
  for (const [doing, step] of steps) {
    try {
      await step();
    } catch (error) {
      failed.push(doing);
      const { cause, hint } = likelyCause(error);
      const [system] = cause.split("_");
      if (system === "store" || system === "tillgate") unreachable.set(system, hint);
      await reporter.error(doing, error);
      log.warn({ error: errorText(error) }, `The sweep failed while ${doing}; the step will be retried`);
    }
  }
  for (const system of ["store", "tillgate"] as const) {
    const text = unreachable.get(system);
    if (text === undefined) await reporter.resolveProblem("unreachable", system);
    else await reporter.reportProblem({ kind: "unreachable", subject: system, text });
  }
  outcome.stepsFailed = failed.length;
  await reporter.sweep((performance.now() - startedMs) / 1000, failed);
  return outcome;
}

async function compareClocks({ clocks, reporter }: ConnectorContext): Promise<void> {
  const differences = clocks.differences();
  await reporter.writeReport("clocks", differences);
  const text = clockWarning(differences);
  if (text === null) await reporter.resolveProblem("clock", "clock");
  else await reporter.reportProblem({ kind: "clock", subject: "clock", text });
}
