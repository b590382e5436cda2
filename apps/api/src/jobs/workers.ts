import { startLoop } from "@tillgate/service";
import type { Context } from "../context.js";
import { createFileMailer, createMailer, type Mailer } from "../mail/mailer.js";
import { startLinkMails } from "../mail/send-links.js";
import { startNoticeMails } from "../mail/send-notices.js";
import type { Listener } from "../notifications/listener.js";
import { startOutbox } from "../outbox/start-outbox.js";
import { startDigests } from "./digests.js";
import { expireOrders, untilNextDue } from "./expire-orders.js";
import { startLedgerProofs } from "./ledger-proofs.js";
import { startPayoutBatches } from "./payout-batches.js";
import { PRUNE_EVERY_MS, PRUNE_PAUSE_MS, prune } from "./prune.js";

/** How often due orders are looked for, in milliseconds. */
const EXPIRE_POLL_MS = 1_000;
/** The shortest wait between two looks: a locked order is due but cannot be expired yet. */
const EXPIRE_PAUSE_MS = 50;

/** Over SMTP, into files, or undefined: mails wait until they are too old. */
function createWorkersMailer({ mail, mailFolder }: Context["config"]): Mailer | undefined {
  if (mail) return createMailer({ mail });
  return mailFolder === undefined ? undefined : createFileMailer(mailFolder);
}

/**
 * Starts the jobs of a worker process: sending webhooks, notices and links, expiring orders, paying files of payouts, proving the ledger and deleting
 * old rows. Any number of processes may do so side by side.
 */
export function startWorkers(context: Context, listener: Listener): { close(): Promise<void> } {
  const { config, database, hints, log } = context;
  const { pool } = database;
  const outbox = startOutbox(context, listener);

  const expiry = startLoop({
    name: "expiry of orders",
    intervalMs: EXPIRE_POLL_MS,
    log,
    async run() {
      await expireOrders({ pool, hints, log });
      const next = await untilNextDue(pool);
      return next === undefined ? undefined : Math.max(EXPIRE_PAUSE_MS, next);
    },
  });

  const pruning = startLoop({
    name: "pruning",
    intervalMs: PRUNE_EVERY_MS,
    log,
    run: async () => ((await prune({ pool, config })).more ? PRUNE_PAUSE_MS : undefined),
  });

  const mailer = createWorkersMailer(config);
  const mails = startNoticeMails({
    pool,
    mailer,
    keepEventsDays: config.keepEventsDays,
    log,
  });

  const links = startLinkMails(context, mailer);
  const digests = startDigests(context, mailer);
  const batches = startPayoutBatches(context);
  const proofs = startLedgerProofs(context);

  return {
    async close() {
      await Promise.all([
        outbox.close(),
        expiry.close(),
        pruning.close(),
        links.close(),
        batches.close(),
        proofs.close(),
      ]);
      await Promise.all([mails.close(), digests.close()]);
      mailer?.close();
    },
  };
}
