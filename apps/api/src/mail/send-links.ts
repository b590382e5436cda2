import { unseal } from "@tillgate/database";
import { type Loop, queryFirstRow, startLoop } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { MailError, type Mailer, SEND_LIMIT_MS, toOneLine } from "./mailer.js";

/** Short, because a person is waiting for the e-mail. */
const POLL_MS = 2_000;
/** Must be longer than sending takes. */
const RETRY_MS = SEND_LIMIT_MS + 30_000;

// Only one worker updates the row. The update schedules the next attempt, later each time, so that a crash loses only the current attempt.
const CLAIM = `
  UPDATE console_links l SET next_attempt_at = clock_timestamp() + greatest($1 * interval '1 millisecond', clock_timestamp() - created_at)
  WHERE id = (
    SELECT id FROM console_links WHERE token_ciphertext IS NOT NULL AND used_at IS NULL AND expires_at > clock_timestamp()
      AND next_attempt_at <= clock_timestamp()
    ORDER BY next_attempt_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING id, kind, coalesce(email, (SELECT u.email FROM console_users u WHERE u.id = l.user_id)) AS email,
    (SELECT m.name FROM merchants m WHERE m.id = l.merchant_id) AS merchant, token_ciphertext AS ciphertext, encryption_key_id AS "keyId"`;
const SENT = "UPDATE console_links SET token_ciphertext = NULL, encryption_key_id = NULL WHERE id = $1";

const linkSchema = z.object({
  id: z.string(),
  kind: z.enum(["password", "invitation", "sign_up"]),
  email: z.string(),
  /** Name of the merchant, for an invitation. */
  merchant: z.string().nullable(),
  ciphertext: z.instanceof(Buffer),
  keyId: z.string(),
});

type LinkMail = { page: string; subject: string; text: (link: string) => string[] };

const MAILS: Record<z.output<typeof linkSchema>["kind"], (merchant: string) => LinkMail> = {
  password: () => ({
    page: "reset-password",
    subject: "Reset your Tillgate password",
    text: (link) => [
      "We received a request to reset the password of your Tillgate account.",
      `Reset your password:\n${link}`,
      "The link works once and expires in 30 minutes. If you didn’t request this, ignore this e-mail. Your password stays the same.",
    ],
  }),
  invitation: (merchant) => ({
    page: "invitation",
    subject: `You’re invited to join ${merchant} on Tillgate`,
    text: (link) => [
      `You’ve been invited to join ${merchant} on Tillgate.`,
      `Accept the invitation:\n${link}`,
      "The invitation expires in 7 days. If you weren’t expecting it, ignore this e-mail.",
    ],
  }),
  sign_up: () => ({
    page: "new-account",
    subject: "Create your Tillgate sandbox account",
    text: (link) => [
      "Use this link to create your Tillgate sandbox account.",
      `Create your account:\n${link}`,
      "The link works once and expires in 30 minutes. If you didn’t request this, ignore this e-mail. An account is created only if you use the link.",
    ],
  }),
};

/** E-mails the queued links one at a time. Sends nothing if no mailer or no console URL is configured. */
export function startLinkMails(
  { config, database, keyring, log }: Context,
  mailer: Mailer | undefined,
): Loop {
  return startLoop({
    name: "link mailer",
    intervalMs: POLL_MS,
    log,
    async run() {
      const { consoleUrl } = config;
      while (mailer && consoleUrl !== undefined) {
        const link = await queryFirstRow(database.pool, linkSchema, CLAIM, [RETRY_MS]);
        if (link === undefined) break;
        const { page, subject, text } = MAILS[link.kind](toOneLine(link.merchant ?? ""));
        const address = new URL(page, `${consoleUrl}/`);
        address.searchParams.set("token", unseal(keyring, link.id, link));
        try {
          const mail = { to: link.email, subject, text: text(address.href).join("\n\n") };
          await mailer.send({ id: `link-${link.id}`, ...mail });
        } catch (error) {
          if (!(error instanceof MailError)) throw error;
          log.warn(
            { event: "link_mail_postponed", linkId: link.id, reason: error.message },
            "could not e-mail a link; retrying until it expires, unless it was rejected permanently",
          );
          if (!error.about.final) break;
        }
        await database.pool.query(SENT, [link.id]);
      }
      return undefined;
    },
  });
}
