import { randomUUID } from "node:crypto";
import { type Loop, startLoop } from "@tillgate/service";
import type { Logger } from "pino";
import { z } from "zod";
import { MailError, type Mailer, SEND_LIMIT_MS } from "./mailer.js";
import { MAIL_STEPS_MS, type MailQueue } from "./queue.js";

const POLL_MS = 5_000;
/** Time that a lease adds to the time limit for sending, in milliseconds. When the lease has expired, another worker takes over. */
const LEASE_SLACK_MS = 30_000;

export type ComposedMail = {
  to: string;
  /** Number of attempts, including the current attempt. */
  attempts: number;
  subject: string;
  text: string;
};

type SendMailsOptions = {
  /** Used in log events and Message-IDs: `notice`, `digest`. */
  kind: string;
  queue: MailQueue;
  /** Undefined if e-mail is not configured. Queued e-mails are then abandoned after a while. */
  mailer: Mailer | undefined;
  /** Returns undefined if the e-mail has been deleted or is no longer needed. */
  compose: (id: string) => Promise<ComposedMail | undefined>;
  log: Pick<Logger, "info" | "warn" | "error">;
};

/**
 * Starts sending a queue's e-mails, each at least once: if a process ends before it records an accepted e-mail, another worker resends it under the
 * same Message-ID.
 */
export function startMails({ kind, queue, mailer, compose, log }: SendMailsOptions): Loop {
  const worker = randomUUID();
  const ending = new AbortController();

  /** @returns whether the mail server can accept another e-mail now. */
  const sendOne = async (mailer: Mailer, id: string, mail: ComposedMail): Promise<boolean> => {
    const lease = { id, worker };
    const { to, subject, text, attempts } = mail;
    const fields = { mailId: id, attempts };
    const abandon = async (reason: string) => {
      if (await queue.settle(lease, "given_up", reason))
        log.error({ event: `${kind}_mail_abandoned`, ...fields, reason }, `abandoned a ${kind} e-mail`);
    };
    if (!z.email().safeParse(to).success) {
      await abandon("no valid e-mail address");
      return true;
    }
    try {
      await mailer.send({ id: `${kind}-${id}`, to, subject, text }, ending.signal);
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      const delayMs = MAIL_STEPS_MS[attempts - 1];
      // The process is ending without knowing the outcome, so another process retries immediately.
      if (ending.signal.aborted) await queue.postpone(lease, 0, null);
      else if (error.about.final || delayMs === undefined) await abandon(error.message);
      else {
        await queue.postpone(lease, delayMs, error.message);
        log.warn(
          { event: `${kind}_mail_postponed`, ...fields, delayMs, reason: error.message },
          `could not send a ${kind} e-mail; retrying later`,
        );
      }
      return !error.about.unreachable;
    }
    await queue.settle(lease, "sent");
    log.info({ event: `${kind}_mail_sent`, ...fields }, `sent a ${kind} e-mail`);
    return true;
  };

  const loop = startLoop({
    name: `${kind} mailer`,
    intervalMs: POLL_MS,
    log,
    async run() {
      const old = await queue.abandonOld();
      if (old > 0)
        log.error(
          {
            event: `${kind}_mail_abandoned`,
            mails: old,
            reason: mailer ? "too old" : "e-mail is not configured",
          },
          `abandoned ${kind} e-mails that could not be sent in time`,
        );
      while (mailer && !ending.signal.aborted) {
        const id = await queue.claim({ worker, leaseMs: SEND_LIMIT_MS + LEASE_SLACK_MS });
        if (id === undefined) break;
        const mail = await compose(id);
        if (mail === undefined) await queue.settle({ id, worker }, "given_up", "no longer needed");
        else if (!(await sendOne(mailer, id, mail))) break;
      }
      return undefined;
    },
  });
  return {
    wake: () => loop.wake(),
    async close() {
      ending.abort();
      await loop.close();
    },
  };
}
