import { HEALTH_LIMITS } from "@tillgate/contract";
import { callOne, ledger } from "@tillgate/database";
import { type Loop, startLoop } from "@tillgate/service";
import type { Context } from "../context.js";
import { startNoticeMails } from "../events/notices.js";
import { startOutbox } from "../events/outbox/worker.js";
import { MAX_GROUP_SIZE } from "../ledger/group-commit.js";
import { createFileMailer, createMailer, type Mailer } from "../mail/mailer.js";
import { createMailQueue } from "../mail/queue.js";
import { startLinkMails } from "../mail/send-links.js";
import { startMails } from "../mail/send-mails.js";
import { claimLines, processLines } from "../money/bulk-payouts/work.js";
import { readClock } from "../platform/database-clock.js";
import type { Listener } from "../platform/listener.js";
import { composeDigest, planDigests } from "../reports/digests.js";
import { requestNightlyProof, runProof } from "../reports/ledger-proofs.js";
import { queueMonthlyReports } from "../reports/monthly-reports.js";
import { expireOrders, readMsUntilNextExpiry } from "./expire-orders.js";
import { PRUNE_INTERVAL_MS, PRUNE_PAUSE_MS, prune } from "./prune.js";

/** Returns whether the database's clock is too far ahead. If so, days and months would be closed before they are over. */
const isDatabaseClockAhead = async ({ pool }: Context["database"]): Promise<boolean> =>
  (await readClock(pool)).getTime() - Date.now() > HEALTH_LIMITS.clockOffsetMs;

const PLAN_EVERY_MS = 60_000;

/** Plans and sends the digests and monthly reports. Without a mailer, nothing is planned. */
export function startDigests(context: Context, mailer: Mailer | undefined): { close(): Promise<void> } {
  const { database, log } = context;
  const planning = startLoop({
    name: "digest planner",
    intervalMs: PLAN_EVERY_MS,
    log,
    async run() {
      if (mailer) await planDigests({ database });
      return undefined;
    },
  });
  const reports = startLoop({
    name: "monthly report planner",
    intervalMs: PLAN_EVERY_MS,
    log,
    async run() {
      if (!mailer || (await isDatabaseClockAhead(database))) return undefined;
      return (await queueMonthlyReports({ database })) > 0 ? 0 : undefined;
    },
  });
  const mails = startMails({
    kind: "digest",
    queue: createMailQueue(database.pool, "digest_mails"),
    mailer,
    compose: (id) => composeDigest(context, id),
    log,
  });
  return {
    async close() {
      await Promise.all([planning.close(), reports.close(), mails.close()]);
    },
  };
}

/** Short, because a person is waiting for the result. */
const PROOF_POLL_MS = 2_000;

/** Starts the ledger proofs. They run at night and on request, in one process at a time. */
const startLedgerProofs = (context: Context): Loop =>
  startLoop({
    name: "ledger proofs",
    intervalMs: PROOF_POLL_MS,
    log: context.log,
    async run() {
      await requestNightlyProof(context);
      await runProof(context);
      return undefined;
    },
  });

const CHECKPOINTS_EVERY_MS = 60_000;
/** Wallets per transaction. Few, so that transactions are short. */
const CHECKPOINT_WALLETS = 10;

/** Writes checkpoints, so that a report need not sum up every entry. Any number of processes may run this job. */
const startCheckpoints = ({ database: { pool }, log }: Context): Loop =>
  startLoop({
    name: "report checkpoints",
    intervalMs: CHECKPOINTS_EVERY_MS,
    log,
    async run() {
      const written = await callOne(pool, ledger.writeCheckpoints, { limit: CHECKPOINT_WALLETS });
      return written > 0 ? 0 : undefined;
    },
  });

/** A day is closed a minute after its end, or an hour after its end on a quiet system. */
const REPORT_EVENTS_EVERY_MS = 60_000;
/** Wallets per transaction. Few, so that transactions are short. */
const REPORT_EVENT_WALLETS = 10;

/** Writes the events of report days that have been closed. Any number of processes may run this job. */
const startReportEvents = ({ database, log }: Context): Loop =>
  startLoop({
    name: "report events",
    intervalMs: REPORT_EVENTS_EVERY_MS,
    log,
    async run() {
      if (await isDatabaseClockAhead(database)) return undefined;
      const moved = await callOne(database.pool, ledger.writeReportEvents, { limit: REPORT_EVENT_WALLETS });
      return moved > 0 ? 0 : undefined;
    },
  });

/** Short, because a person is watching the progress. */
const LINE_POLL_MS = 1_000;
/** Lines per run: enough for a whole group commit, but few enough that the process can shut down between runs. */
const LINES_PER_RUN = MAX_GROUP_SIZE;

/** Processes the waiting lines of bulk payouts. Any number of processes may run this job. */
const startBulkPayouts = (context: Context): Loop =>
  startLoop({
    name: "bulk payouts",
    intervalMs: LINE_POLL_MS,
    log: context.log,
    async run() {
      const lines = await claimLines(context, { limit: LINES_PER_RUN });
      if (lines.length === 0) return undefined;
      await processLines(context, lines);
      return 0;
    },
  });

const EXPIRE_POLL_MS = 1_000;
/** Minimum pause between runs, because an overdue order cannot be expired while it is locked. */
const EXPIRE_PAUSE_MS = 50;

/** Returns undefined if e-mail is not configured. E-mails then stay queued until they are too old. */
function createWorkersMailer({ mail, mailFolder }: Context["config"]): Mailer | undefined {
  if (mail) return createMailer({ mail });
  return mailFolder === undefined ? undefined : createFileMailer(mailFolder);
}

/** Starts the background jobs. Any number of processes may run them. */
export function startWorkers(context: Context, listener: Listener): { close(): Promise<void> } {
  const { config, database, changes, log } = context;
  const { pool } = database;
  const outbox = startOutbox(context, listener);

  const expiry = startLoop({
    name: "order expiry",
    intervalMs: EXPIRE_POLL_MS,
    log,
    async run() {
      await expireOrders({ pool, changes, log });
      const next = await readMsUntilNextExpiry(pool);
      return next === undefined ? undefined : Math.max(EXPIRE_PAUSE_MS, next);
    },
  });

  const pruning = startLoop({
    name: "pruning",
    intervalMs: PRUNE_INTERVAL_MS,
    log,
    run: async () => ((await prune({ pool, config })).more ? PRUNE_PAUSE_MS : undefined),
  });

  const mailer = createWorkersMailer(config);
  const mails = startNoticeMails({
    pool,
    mailer,
    retentionDays: config.eventRetentionDays,
    log,
  });

  const links = startLinkMails(context, mailer);
  const digests = startDigests(context, mailer);
  // Two, so that one claims and finishes lines while the other's payouts are written.
  const bulkPayouts = [startBulkPayouts(context), startBulkPayouts(context)];
  const proofs = startLedgerProofs(context);
  const checkpoints = startCheckpoints(context);
  const reportEvents = startReportEvents(context);

  return {
    async close() {
      await Promise.all([
        outbox.close(),
        expiry.close(),
        pruning.close(),
        links.close(),
        ...bulkPayouts.map((loop) => loop.close()),
        proofs.close(),
        checkpoints.close(),
        reportEvents.close(),
      ]);
      await Promise.all([mails.close(), digests.close()]);
      mailer?.close();
    },
  };
}
