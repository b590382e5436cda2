import { randomUUID } from "node:crypto";
import { type Loop, startLoop } from "@tillgate/service";
import type pg from "pg";
import type { Logger } from "pino";
import { z } from "zod";
import { MailError, type Mailer, SEND_LIMIT_MS } from "./mailer.js";
import {
  claimNoticeMail,
  giveUpOldNoticeMails,
  MAIL_STEPS_MS,
  type NoticeMail,
  postponeNoticeMail,
  settleNoticeMail,
} from "./notice-mails.js";
import { noticeText } from "./notice-text.js";

/** How often due mails are looked for, in milliseconds. */
const LOOK_EVERY_MS = 5_000;
/** How much longer than sending a lease lasts, in milliseconds: then another worker takes over. */
const LEASE_SLACK_MS = 30_000;

type NoticeMailsOptions = {
  pool: pg.Pool;
  /** Undefined: mail is not configured, and waiting mails are only given up when they are old. */
  mailer: Mailer | undefined;
  keepEventsDays: number;
  log: Pick<Logger, "info" | "warn" | "error">;
};

/**
 * Sends notices to merchants' people, one after the other, at least once. If a process ends between the mail server's yes
 * and the update of the row, another worker sends the mail again, under the same Message-ID.
 */
export function startNoticeMails({ pool, mailer, keepEventsDays, log }: NoticeMailsOptions): Loop {
  const worker = randomUUID();
  const ending = new AbortController();

  /** @returns whether the mail server can be asked for another mail now. */
  const sendOne = async (mailer: Mailer, mail: NoticeMail): Promise<boolean> => {
    const lease = { id: mail.id, worker };
    const told = { mailId: mail.id, attempts: mail.attempts };
    const giveUp = async (reason: string) => {
      if (await settleNoticeMail(pool, lease, "given_up", reason))
        log.error(
          { event: "notice_mail_given_up", ...told, reason },
          "a notice is not mailed: it is given up",
        );
    };
    if (!z.email().safeParse(mail.to).success) {
      await giveUp("no e-mail address");
      return true;
    }
    try {
      await mailer.send(
        { id: `notice-${mail.id}`, to: mail.to, ...noticeText(mail, keepEventsDays) },
        ending.signal,
      );
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      const delayMs = MAIL_STEPS_MS[mail.attempts - 1];
      // The process ends and knows nothing about the mail: another process tries at once.
      if (ending.signal.aborted) await postponeNoticeMail(pool, lease, 0, null);
      else if (error.about.final || delayMs === undefined) await giveUp(error.message);
      else {
        await postponeNoticeMail(pool, lease, delayMs, error.message);
        log.warn(
          { event: "notice_mail_postponed", ...told, delayMs, reason: error.message },
          "a notice could not be mailed; it is tried again",
        );
      }
      return !error.about.unreachable;
    }
    await settleNoticeMail(pool, lease, "sent");
    log.info({ event: "notice_mail_sent", ...told }, "a notice was mailed");
    return true;
  };

  const loop = startLoop({
    name: "mailing of notices",
    intervalMs: LOOK_EVERY_MS,
    log,
    async run() {
      const old = await giveUpOldNoticeMails(pool);
      if (old > 0)
        log.error(
          {
            event: "notice_mail_given_up",
            mails: old,
            reason: mailer ? "too old" : "mail is not configured",
          },
          "notices were not mailed in time: they are given up",
        );
      while (mailer && !ending.signal.aborted) {
        const mail = await claimNoticeMail(pool, { worker, leaseMs: SEND_LIMIT_MS + LEASE_SLACK_MS });
        if (mail === undefined || !(await sendOne(mailer, mail))) break;
      }
      return undefined;
    },
  });
  return {
    wake: () => loop.wake(),
    async close() {
      ending.abort();
      await loop.close();
      mailer?.close();
    },
  };
}
