import { either, readBy, type SettingsTable, text, wholeNumber } from "@tillgate/service/settings";
import { parseSender, parseSmtpUrl } from "./mail-server.js";

/** Webhooks, mail, and how long what happened is kept. */
export const events = {
  /** Whether webhooks may go to private and loopback addresses: `allow` is for development only. */
  privateWebhookAddresses: {
    name: "TILLGATE_WEBHOOK_PRIVATE_ADDRESSES",
    kind: either("allow", "refuse"),
    default: "refuse",
  },
  /** Webhook deliveries this process sends at the same time. */
  deliveriesAtOnce: { name: "TILLGATE_DELIVERIES_AT_ONCE", kind: wholeNumber(1, 1_000), default: 50 },
  /** How long one webhook attempt may take in all, in milliseconds. */
  deliveryTimeoutMs: {
    name: "TILLGATE_DELIVERY_TIMEOUT_MS",
    kind: wholeNumber(100, 60_000),
    default: 15_000,
  },
  /** How long the attempts of settled webhook deliveries are kept, in days. */
  keepAttemptsDays: { name: "TILLGATE_KEEP_ATTEMPTS_DAYS", kind: wholeNumber(7, 3_650), default: 30 },
  /** How long events are kept with their deliveries, in days; also the merchants' timelines. The database refuses less. */
  keepEventsDays: { name: "TILLGATE_KEEP_EVENTS_DAYS", kind: wholeNumber(30, 36_500), default: 400 },
  /** The mail server for notices and summaries to merchants' people, and for links and what waits to console users: `smtp://user:password@host:587` (STARTTLS) or `smtps://…`. */
  smtpServer: {
    name: "TILLGATE_SMTP_URL",
    kind: readBy(
      "smtp:// or smtps://, with a host, and with both or neither of user and password, percent-encoded",
      parseSmtpUrl,
    ),
    leftOut: "nothing is mailed",
    secret: true,
  },
  /** A folder that mails are written to, one file each, where there is no mail server. Not in production. */
  mailFolder: { name: "TILLGATE_MAIL_FOLDER", kind: text, leftOut: "they are not written" },
  /** The sender of such mails; needs the mail server, and the mail server needs it. */
  mailFrom: {
    name: "TILLGATE_MAIL_FROM",
    kind: readBy("one e-mail address, such as Tillgate <notices@example.com>", parseSender),
    leftOut: "nothing is mailed",
  },
} satisfies SettingsTable;
