import { startLoop } from "@tillgate/service";
import type { Context } from "../context.js";
import { mailQueue } from "../mail/mail-queue.js";
import type { Mailer } from "../mail/mailer.js";
import { startMails } from "../mail/send-mails.js";
import { composeDigest } from "../operations/notifications/compose-digest.js";
import { planDigests } from "../operations/notifications/plan-digests.js";

/** How often due digests are looked for, in milliseconds. */
const PLAN_EVERY_MS = 60_000;

/** Mails what waits for approval, and what the day before brought. Without a mailer nothing is planned. */
export function startDigests(context: Context, mailer: Mailer | undefined): { close(): Promise<void> } {
  const { database, log } = context;
  const planning = startLoop({
    name: "planning of digests",
    intervalMs: PLAN_EVERY_MS,
    log,
    async run() {
      if (mailer) await planDigests({ database });
      return undefined;
    },
  });
  const mails = startMails({
    kind: "digest",
    queue: mailQueue(database.pool, "digest_mails"),
    mailer,
    compose: (id) => composeDigest(context, id),
    log,
  });
  return {
    async close() {
      await Promise.all([planning.close(), mails.close()]);
    },
  };
}
