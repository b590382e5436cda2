import { TillgateApiError } from "@tillgate/client";
import type { Refund } from "@tillgate/contract";
import { z } from "zod";
import { clockWarning } from "../health/clocks.js";
import { likelyCause } from "../health/likely-cause.js";
import { textOf } from "../health/reporter.js";
import { withClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { type DrainResult, drainDue } from "./drain-due.js";
import { followOpenRefunds } from "./follow-refunds.js";
import { scheduleChecks } from "./schedule-checks.js";
import { checkOrders, checkPayments, checkRefunds } from "./scheduled-checks.js";
import { checkStoreWebhook } from "./store-webhook.js";

const PER_PAGE = 100;
/** The first reading of Tillgate's refunds starts this long ago: longer than it repeats a delivery. */
const REFUNDS_LOOK_BACK_MS = 4 * 24 * 60 * 60_000;

/**
 * How far Tillgate's refunds were read: those made up to `since` were. A list too long for one sweep is read on from `place`, which
 * Tillgate gave. New refunds come in at its front; the next reading, which starts from `newest`, reads them.
 */
const cursorSchema = z.object({
  since: z.coerce.date(),
  walk: z.object({ place: z.string(), newest: z.coerce.date() }).optional(),
});

type RefundsCursor = z.infer<typeof cursorSchema>;

/**
 * Reads the merchant's refunds since the cursor and follows those of this store's payments that have no end in the shop, as
 * a lost `refund.completed` would have done. By one process at a time.
 */
async function readNewRefunds(context: ConnectorContext): Promise<void> {
  await withClaim(context, `refunds:${context.settings.storeId}`, 0, (held) =>
    readRefunds(context, () => held.keep()),
  );
}

async function readRefunds(context: ConnectorContext, keep: () => Promise<void>): Promise<void> {
  const { clocks, cursors } = context;
  const stored = await cursors.read("refunds");
  const cursor: RefundsCursor =
    stored === null
      ? { since: new Date(clocks.nowMs("tillgate") - REFUNDS_LOOK_BACK_MS) }
      : cursorSchema.parse(JSON.parse(stored));
  try {
    await readOn(context, keep, cursor);
  } catch (error) {
    // The store changed to another client or mode meanwhile, whose list does not have the place.
    const isLost = error instanceof TillgateApiError && error.param === "cursor";
    if (!isLost || cursor.walk === undefined) throw error;
    await readOn(context, keep, { since: cursor.since });
  }
}

async function readOn(
  context: ConnectorContext,
  keep: () => Promise<void>,
  { since: readUpTo, walk }: RefundsCursor,
): Promise<void> {
  const { cursors, reporter, settings, tillgate } = context;
  const since = new Date(readUpTo.getTime() - settings.refundOverlapMs);
  const query = { from_date: dayOf(since), per_page: PER_PAGE };
  const pages = tillgate.refunds.pages(walk === undefined ? query : { ...query, cursor: walk.place });
  // Only the first page's newest: the next reading reads refunds that come in at the front later.
  let newest = walk?.newest;
  let read = 0;
  for await (const { items, next } of pages) {
    const within = items.filter(({ created_at }) => new Date(created_at) >= since);
    await keep();
    await followOpenRefunds(context, within);
    newest ??= newestOf(within, readUpTo);
    read += 1;
    if (within.length < items.length || next === null) {
      await cursors.write("refunds", JSON.stringify({ since: newest }));
      await reporter.settled("behind", "refunds");
      return;
    }
    if (read === settings.refundMaxPages) {
      await cursors.write("refunds", JSON.stringify({ since: readUpTo, walk: { place: next, newest } }));
      await reporter.problem({
        kind: "behind",
        subject: "refunds",
        text: "More refunds at Tillgate than one sweep reads; the rest follows with the next sweeps.",
      });
      return;
    }
  }
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

const newestOf = (refunds: Refund[], before: Date): Date =>
  refunds.reduce((newest, { created_at }) => {
    const at = new Date(created_at);
    return at > newest ? at : newest;
  }, before);

/** The first reading of a store's changes starts this long ago, in milliseconds: longer than a payment can be open. */
const CHANGES_LOOK_BACK_MS = 2 * 60 * 60_000;
/** The store's times are whole seconds, and its list has changes after a time, not at it. */
const SECOND_MS = 1000;

/**
 * Learns of changes made in the shop, by one process at a time. Each changed order that has a payment of ours becomes due
 * for a look, so that the cursor may move on whatever the look finds.
 */
async function readStoreChanges(context: ConnectorContext): Promise<void> {
  await withClaim(context, `changes:${context.settings.storeId}`, 0, (held) =>
    readChanges(context, () => held.keep()),
  );
}

async function readChanges(context: ConnectorContext, keep: () => Promise<void>): Promise<void> {
  const { payments, clocks, cursors, reporter, settings, store } = context;
  const stored = await cursors.read("changes");
  // The cursor is the store's own clock, and never passes it: an order dated in the future would hide every change until then.
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
    const known = await payments.knownOrders(changes.map(({ id }) => id));
    await keep();
    await scheduleChecks(context, known, 0);
    const times = changes.flatMap(({ modifiedAt }) => (modifiedAt === null ? [] : [modifiedAt.getTime()]));
    const last = new Date(Math.min(clocks.nowMs("store"), Math.max(newest.getTime(), ...times)));
    if (last > newest) {
      newest = last;
      await cursors.write("changes", newest.toISOString());
    }
    if (isLast) {
      await reporter.settled("behind", "changes");
      await reportSkipped(context, skipped);
      return;
    }
    // From the last time seen, not by page: an order that changes during the reading moves to the end, and an unread one
    // would move to a page that was already read.
    const next = new Date(Math.max(...times) - SECOND_MS);
    if (times.length > 0 && next > since) {
      since = next;
      page = 1;
    } else page += 1;
  }
  await reporter.problem({
    kind: "behind",
    subject: "changes",
    text: "More changes in the store than one sweep reads; the rest follows with the next sweeps.",
  });
}

/** Rows of the store's list of changes that could not be read: their orders are found by their own payments' checks only. */
async function reportSkipped({ reporter }: ConnectorContext, skipped: number): Promise<void> {
  if (skipped === 0) return reporter.settled("skipped", "changes");
  await reporter.problem({
    kind: "skipped",
    subject: "changes",
    text: `${skipped === 1 ? "1 changed order" : `${skipped} changed orders`} of the store could not be read and were skipped. A plugin of the store changes its REST API.`,
  });
}

/** The outcome of the due payments. */
export type SweepOutcome = DrainResult & {
  /** Steps that failed as a whole: the store or Tillgate could not be asked. */
  stepsFailed: number;
};

/**
 * One sweep of one store: asks the API about payments under way, reads changes in the store and new refunds, and removes
 * old rows. Each step and each order is independent: a failed one is tried again later, and no other waits for it.
 */
export async function sweep(context: ConnectorContext): Promise<SweepOutcome> {
  const { events, health, log, reporter, requests, settings } = context;
  const outcome: SweepOutcome = { checked: 0, failed: 0, abandoned: 0, stepsFailed: 0 };
  const steps: [doing: string, step: () => Promise<unknown>][] = [
    [
      "asking about payments under way",
      async () => Object.assign(outcome, await drainDue(context, checkPayments)),
    ],
    ["reading the store's changes", () => readStoreChanges(context)],
    ["following changes in the store", () => drainDue(context, checkOrders)],
    ["reading Tillgate's refunds", () => readNewRefunds(context)],
    ["bringing refunds into the store", () => drainDue(context, checkRefunds)],
    ["reading the state of the store's webhook", () => checkStoreWebhook(context)],
    ["comparing the clocks", () => compareClocks(context)],
    ["removing counted requests", () => requests.prune()],
    ["removing old events", () => events.prune(settings.keepEventsMs)],
    ["removing old problems", () => health.prune(settings.keepProblemsMs)],
  ];
  const startedMs = performance.now();
  const failed: string[] = [];
  const unreachable = new Map<"store" | "tillgate", string>();
  for (const [doing, step] of steps) {
    try {
      await step();
    } catch (error) {
      failed.push(doing);
      const { cause, words } = likelyCause(error);
      const [system] = cause.split("_");
      if (system === "store" || system === "tillgate") unreachable.set(system, words);
      await reporter.error(doing, error);
      log.warn({ error: textOf(error) }, `The sweep failed ${doing}; it is tried again`);
    }
  }
  for (const system of ["store", "tillgate"] as const) {
    const text = unreachable.get(system);
    if (text === undefined) await reporter.settled("unreachable", system);
    else await reporter.problem({ kind: "unreachable", subject: system, text });
  }
  outcome.stepsFailed = failed.length;
  await reporter.sweep((performance.now() - startedMs) / 1000, failed);
  return outcome;
}

async function compareClocks({ clocks, reporter }: ConnectorContext): Promise<void> {
  const differences = clocks.differences();
  await reporter.report("clocks", differences);
  const text = clockWarning(differences);
  if (text === null) await reporter.settled("clock", "clock");
  else await reporter.problem({ kind: "clock", subject: "clock", text });
}
