import { hostOf } from "../outbox/host-of.js";
import { likelyCause } from "../outbox/likely-cause.js";
import { oneLine } from "./mailer.js";
import { MAX_COUNTED, type NoticeMail } from "./notice-mails.js";

type NoticeText = { subject: string; text: string };

/** `2026-11-22 13:05 UTC`. */
const moment = (time: Date | string): string => {
  const iso = new Date(time).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
};

/**
 * A notice for a merchant's people, as plain text. It names an endpoint by host and id, because path and query may hold a
 * secret. Of waiting events it gives only the number.
 * @param keepEventsDays how long missed events can still be sent.
 */
export function noticeText(mail: NoticeMail, keepEventsDays: number): NoticeText {
  const { details, waiting } = mail;
  const host = hostOf(mail.receiverAddress);
  const failure = { errorKind: details.error_kind, httpStatus: details.http_status };
  const facts: [string, string | null][] = [
    ["Endpoint", `${host} (${mail.mode} mode)`],
    ["Its id", mail.receiverId],
    ["Failing since", details.failing_since && moment(details.failing_since)],
    ["Last answer", details.http_status === null ? "none" : `HTTP ${details.http_status}`],
    ["Likely cause", likelyCause(failure)],
    ["Events waiting", waiting > MAX_COUNTED ? `more than ${MAX_COUNTED}` : String(waiting)],
  ];
  const { subject, begins, parts } =
    mail.kind === "receiver.disabled" ? disabled(mail, keepEventsDays) : warned(mail);
  return {
    subject: `Tillgate: webhooks to ${host} ${subject}`,
    text: [
      `${begins} ${oneLine(mail.merchantName)}.`,
      facts.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])).join("\n"),
      ...since(mail),
      ...parts,
      "You get this mail because you are named as somebody who cares for these webhooks. Nobody reads answers to it.",
    ].join("\n\n"),
  };
}

/** The changes between the notice and this mail. */
function since({ kind, noticedAt, removed, disabled: isDisabled, failing }: NoticeMail): string[] {
  const at = moment(noticedAt);
  if (removed) return [`The endpoint was removed after this was noticed (${at}). There is nothing to do.`];
  if (kind === "receiver.disabled" && !isDisabled)
    return [`The endpoint was enabled again after this was noticed (${at}).`];
  if (kind === "receiver.warning" && isDisabled)
    return [`The endpoint was disabled after this was noticed (${at}).`];
  if (kind === "receiver.warning" && !failing)
    return [`The endpoint has answered again since this was noticed (${at}). There is nothing to do.`];
  return [];
}

type Kind = { subject: string; begins: string; parts: string[] };

const warned = ({ details }: NoticeMail): Kind => ({
  subject: "fail",
  begins: "Tillgate cannot deliver webhooks to an endpoint of",
  parts: [
    "WHAT TO DO\nMend what the endpoint answers: it must answer 2xx. Then there is nothing else to do: what waits is sent by itself, and nothing is lost.",
    `WHAT HAPPENS NEXT\nTillgate goes on trying, less and less often.${
      details.disabled_from === null
        ? ""
        : ` An endpoint that still fails on ${moment(details.disabled_from)} is disabled, and what waits for it is given up.`
    }`,
  ],
});

const disabled = ({ receiverId, details }: NoticeMail, keepEventsDays: number): Kind => ({
  subject: "are disabled",
  begins: `Tillgate has disabled a webhook endpoint ${details.reason === "gone" ? "that answered 410 (gone)" : "that failed for days"}. It is one of`,
  parts: [
    `WHAT TO DO
1. Mend the endpoint: it must answer 2xx.
2. Ask who runs Tillgate for you to enable it, and to send what it missed:
   npm run admin -- webhooks enable ${receiverId} --by <e-mail>
   npm run admin -- webhooks missed ${receiverId}
   npm run admin -- webhooks send-missed ${receiverId} --from <time> --to <time> --by <e-mail>
An endpoint that is not needed any more is removed: npm run admin -- webhooks remove ${receiverId} --by <e-mail>`,
    `WHAT HAPPENS NEXT
Nothing is sent to this endpoint until somebody enables it; what waited for it is given up. Payments go on. Events are kept for ${keepEventsDays} days, and can be sent so long.`,
  ],
});
