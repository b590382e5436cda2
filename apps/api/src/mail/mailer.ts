import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { createTransport } from "nodemailer";
import type { MailSettings } from "../settings.js";

/** Time limits of each step of sending an e-mail, and of all steps together. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 10_000;
export const SEND_LIMIT_MS = 30_000;

export type Mail = {
  /** Determines the Message-ID, so that a resent e-mail is recognized as the same message. */
  id: string;
  to: string;
  subject: string;
  text: string;
};

/** The message contains no credentials or recipients. */
export class MailError extends Error {
  override readonly name = "MailError";

  constructor(
    message: string,
    readonly about: {
      /** Whether the server rejects this e-mail permanently, so that a retry is pointless. */
      final: boolean;
      /** Whether the cause is not this e-mail: the server is unreachable, or rejects the sender or our credentials. */
      unreachable: boolean;
    },
  ) {
    super(message);
  }
}

export type Mailer = {
  /** @throws MailError if the server does not accept the e-mail. */
  send(mail: Mail, signal?: AbortSignal): Promise<void>;
  close(): void;
};

type MailerOptions = {
  mail: MailSettings;
  /** Certificate authorities in addition to the system's, as PEM. */
  ca?: string | undefined;
};

/** Creates a mailer that writes e-mails to a folder, for a system on one machine without a mail server. */
export const createFileMailer = (folder: string): Mailer => ({
  async send({ id, to, subject, text }) {
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, `${id}.txt`);
    await writeFile(file, `To: ${to}\nSubject: ${subject}\n\n${text}\n`, { mode: 0o600 });
  },
  close: () => undefined,
});

/** Creates an SMTP mailer. It uses a new connection for each e-mail, because e-mails are rare. */
export function createMailer({ mail, ca }: MailerOptions): Mailer {
  const { host, port, implicitTls, credentials, demandTls, from } = mail;
  const transport = createTransport({
    host,
    port,
    secure: implicitTls,
    requireTLS: demandTls && !implicitTls,
    // Where TLS is optional, the certificate is not verified, because local mail servers use self-signed certificates.
    tls: { rejectUnauthorized: demandTls || implicitTls, ...(ca !== undefined && { ca }) },
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  });
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  return {
    async send({ id, to, subject, text }, signal) {
      const limit = AbortSignal.timeout(SEND_LIMIT_MS);
      try {
        await transport.sendMail({
          from,
          to: { name: "", address: to },
          subject,
          text,
          messageId: `<${id}@${domain}>`,
          // Stops automatic replies, such as holiday notices (RFC 3834).
          headers: { "Auto-Submitted": "auto-generated" },
          signal: signal ? AbortSignal.any([limit, signal]) : limit,
        });
      } catch (error) {
        throw toMailError(error);
      }
    },
    close: () => transport.close(),
  };
}

/** Returns an error with only the codes and the SMTP step, because the server's text may repeat credentials or recipients. */
function toMailError(error: unknown): MailError {
  const { code, originalCode, responseCode, command, permanent } = Object(error);
  const step = typeof command === "string" ? command.split(" ")[0] : undefined;
  const details = [originalCode ?? code ?? "error", responseCode, step && `to ${step}`];
  // Sender and credentials fail for every e-mail until an operator fixes them. Only errors about recipient or content are specific to one e-mail.
  const isMailSpecific = step === "RCPT" || step === "DATA";
  return new MailError(details.filter(Boolean).join(" "), {
    final: isMailSpecific && permanent === true,
    unreachable: !isMailSpecific,
  });
}

/** Replaces line breaks and control characters with spaces. */
export const toOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ");
