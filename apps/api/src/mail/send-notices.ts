import type { Loop } from "@tillgate/service";
import type pg from "pg";
import type { Logger } from "pino";
import { mailQueue } from "./mail-queue.js";
import type { Mailer } from "./mailer.js";
import { readNoticeMail } from "./notice-mails.js";
import { noticeText } from "./notice-text.js";
import { startMails } from "./send-mails.js";

type NoticeMailsOptions = {
  pool: pg.Pool;
  /** Undefined: mail is not configured, and waiting mails are only given up when they are old. */
  mailer: Mailer | undefined;
  keepEventsDays: number;
  log: Pick<Logger, "info" | "warn" | "error">;
};

/** Sends notices about endpoints to merchants' people. */
export const startNoticeMails = ({ pool, mailer, keepEventsDays, log }: NoticeMailsOptions): Loop =>
  startMails({
    kind: "notice",
    queue: mailQueue(pool, "notice_mails"),
    mailer,
    log,
    async compose(id) {
      const mail = await readNoticeMail(pool, id);
      return mail && { to: mail.to, attempts: mail.attempts, ...noticeText(mail, keepEventsDays) };
    },
  });
