import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { createTransport } from "nodemailer";
import type { MailSettings } from "../settings.js";

/** Time limits of the steps of sending one mail, and of the whole, in milliseconds. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 10_000;
export const SEND_LIMIT_MS = 30_000;

export type Mail = {
  /** Determines the Message-ID: a repeated mail is the same message. */
  id: string;
  to: string;
  subject: string;
  text: string;
};

/** A mail that the server did not accept. The message has no credentials or recipients. */
export class MailError extends Error {
  override readonly name = "MailError";

  constructor(
    message: string,
    readonly about: {
      /** The server rejects this mail permanently: a retry is pointless. */
      final: boolean;
      /** Not caused by this mail: the server is unreachable, rejects everyone, or rejects our credentials. */
      unreachable: boolean;
    },
  ) {
    super(message);
  }
}

export type Mailer = {
  /** Sends one mail to the server. @throws MailError. */
  send(mail: Mail, ended?: AbortSignal): Promise<void>;
  close(): void;
};

type MailerOptions = {
  mail: MailSettings;
  /** Certificate authorities in addition to the system's, as PEM. */
  ca?: string | undefined;
};

/** Writes mails to files, for a system on one machine without a mail server. */
export const createFileMailer = (folder: string): Mailer => ({
  async send({ id, to, subject, text }) {
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, `${id}.txt`);
    await writeFile(file, `To: ${to}\nSubject: ${subject}\n\n${text}\n`, { mode: 0o600 });
  },
  close: () => undefined,
});

/** Sends mails over SMTP, with one connection per mail: notices are rare. */
export function createMailer({ mail, ca }: MailerOptions): Mailer {
  const { host, port, implicitTls, credentials, demandTls, from } = mail;
  const transport = createTransport({
    host,
    port,
    secure: implicitTls,
    requireTLS: demandTls && !implicitTls,
    // On this machine a certificate proves nothing: local mail servers sign their own.
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
    async send({ id, to, subject, text }, ended) {
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
          signal: ended ? AbortSignal.any([limit, ended]) : limit,
        });
      } catch (error) {
        throw mailError(error);
      }
    },
    close: () => transport.close(),
  };
}

/** The server's response, without the credentials and recipients that it may have repeated. */
function mailError(error: unknown): MailError {
  const { code, originalCode, responseCode, command, permanent } = Object(error);
  const step = typeof command === "string" ? command.split(" ")[0] : undefined;
  const what = [originalCode ?? code ?? "error", responseCode, step && `to ${step}`];
  // Sender and credentials fail for every mail until an operator fixes them. Only recipient and content are specific to this one.
  const isMailSpecific = step === "RCPT" || step === "DATA";
  return new MailError(what.filter(Boolean).join(" "), {
    final: isMailSpecific && permanent === true,
    unreachable: !isMailSpecific,
  });
}

/** Replaces line breaks and control characters. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ");
