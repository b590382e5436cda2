import { NumberText } from "@tillgate/contract";
import type pg from "pg";
import type { ApiCallEntry, Gap, RequestLog } from "./request-log.js";

/** What stands where something was taken out. */
export const MASK = "•••";

/** Names of fields whose values are never stored: secrets, tokens, PINs, cards, and who a person is and how to reach them. */
const HIDDEN_FIELD =
  /secret|password|passwd|token|authorization|cookie|session|signature|api_?key|phone|mobile|^tel$|_tel$|e[_-]?mail|^pin$|_pin$|pin_?code|^otp$|iban|card|cvv|cvc|^csc$|^pan$|_pan$|^(?:first|last|full|given|family|recipient|holder)?_?name$/i;
const hide = (hint: string, pattern: RegExp, left: (found: string) => string = () => MASK): Hidden => ({
  hint,
  pattern,
  left,
});

/** What is taken out of every text, whatever its field is called. None of it goes beyond a JSON string's quotes. */
const HIDDEN_TEXTS: readonly Hidden[] = [
  // Our own secrets and tokens, and those of others by their usual forms.
  hide("tg", /\btg[a-z]{1,3}_[\w-]{12,}/g),
  hide("whsec_", /\bwhsec_[\w+/=-]+/g),
  hide("eyJ", /\beyJ[\w.-]+/g),
  hide(" ", /\b(?:Bearer|Basic) [\w.~+/=-]+/gi),
  // Stripe, Slack, GitHub, GitLab, SendGrid, OpenAI, WooCommerce, AWS, Google.
  hide("_", /\b(?:sk|pk|rk|ck|cs|gh[a-z]|github_pat|xox[a-z])_[A-Za-z0-9_]{12,}/g),
  hide("-", /\b(?:xox[a-z]|glpat|sk)-[\w-]{12,}/g),
  hide("SG.", /\bSG\.[\w.-]{12,}/g),
  hide("A", /\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bAIza[\w-]{20,}/g),
  hide("PRIVATE KEY", /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-"]*/g),
  // A card's number, with or without spaces.
  hide("", /(?<![\w-])\d(?:[ -]?\d){12,18}(?![\w-])/g, (found) =>
    isCardNumber(found.replace(/\D/g, "")) ? MASK : found,
  ),
  // What in a path opens an account: a session, a link to reset a password or to accept an invitation.
  hide(
    "/",
    /\/((?:password-)?resets?|sessions?|invitations?|verify|confirm|tokens?)\/[\w.~-]{8,}/gi,
    (found) => `${found.slice(0, found.lastIndexOf("/"))}/${MASK}`,
  ),
  // The address of a payment page is enough to open it. Query and user of any address may hold a secret.
  hide("/pay/", /\/pay\/[\w-]{12,}/g, () => `/pay/${MASK}`),
  hide("?", /\?[^\s"#?]+/g, () => `?${MASK}`),
  hide("@", /:\/\/[^\s/@"]+@/g, () => `://${MASK}@`),
  // Who can be reached: of an e-mail address the host is left.
  hide("@", /[\w.%+-]+@?/g, (word) => (word.endsWith("@") ? `${MASK}@` : word)),
  hide("+", /\+\d{2}[\d ().-]{5,16}\d/g),
  // Telephone numbers as they are dialled within a country, and abroad with 00.
  hide("0", /(?<![\w.,:+-])0[1-9](?:[ .-]?\d\d){4}(?![\w:-])/g),
  hide("00", /(?<![\w.,:+-])00[1-9](?:[ .-]?\d){8,13}(?![\w:-])/g),
];

/** A longer body is cut; what begins before the cut is still seen whole. */
const MAX_TEXT = 4_000;
const BEYOND_CUT = 500;
const MAX_DEPTH = 8;
const MAX_ITEMS = 50;

/** A text without what must not be kept, cut where it is long. */
export const maskText = (text: string): string =>
  HIDDEN_TEXTS.reduce(
    (masked, { hint, pattern, left }) => (masked.includes(hint) ? masked.replace(pattern, left) : masked),
    text.slice(0, MAX_TEXT + BEYOND_CUT),
  ).slice(0, MAX_TEXT);

/** Which names are hidden; programs use the same ones again and again. */
const known = new Map<string, boolean>();
const MAX_KNOWN = 1_000;

/** A JSON value as text without what must not be kept: the one rule of the log of requests. */
export const maskedJson = (value: unknown): string => maskText(JSON.stringify(withoutHidden(value)) ?? "");

/** How many calls one statement writes. */
const BATCH = 500;
const MAX_PATH_CHARACTERS = 300;

// One statement is one transaction. Its commit does not wait for the disk: a crash of the database loses the log of a moment.
const WRITE = `
  WITH quick AS (SELECT set_config('synchronous_commit', 'off', true))
  INSERT INTO api_requests (merchant_id, mode, at, dropped, request_id, credential_id, method, path, status, error_code, duration_ms,
    client_address, about, request_body, answer_body)
  SELECT w.* FROM quick, unnest($1::uuid[], $2::mode[], $3::timestamptz[], $4::int[], $5::text[], $6::uuid[], $7::text[], $8::text[],
    $9::smallint[], $10::text[], $11::int[], $12::text[], $13::text[], $14::text[], $15::text[]) AS w`;

type Row = readonly (string | number | Date | null)[];

/** PostgreSQL keeps no NUL, and a body may hold one. */
const storable = (text: string): string => text.replaceAll("\u0000", "");

/** A body as it is kept: masked JSON, cut where it is long. Null: it had none. */
export function loggedBody(body: unknown): string | null {
  if (body === null || body === undefined) return null;
  return storable(maskedJson(body));
}

const property = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** The order, refund or payout of a call: by its path, else by its answer. */
export function subjectOf(path: string, answer: unknown): string | null {
  const named = /\/(?:orders|refunds|payout|payouts|payments)\/([A-Za-z0-9_-]+)/.exec(path)?.[1];
  const data = property(answer, "data");
  const payout = property(property(data, "payout"), "payout_id");
  const made = payout ?? property(data, "refund_id") ?? property(data, "order_id");
  return named ?? textOf(made);
}

function rowOf(call: ApiCallEntry): Row {
  const path = maskText(call.path.split("?")[0] ?? "");
  return [
    call.merchantId,
    call.mode,
    call.at,
    0,
    call.requestId,
    call.credentialId,
    call.method,
    storable(path).slice(0, MAX_PATH_CHARACTERS),
    call.status,
    textOf(property(call.answer, "error_code")),
    // Rounded up: a timeline counts back to the call's beginning, which is never after what it did.
    Math.ceil(call.durationMs),
    call.clientAddress,
    subjectOf(call.path, call.answer),
    loggedBody(call.requestBody),
    loggedBody(call.answer),
  ];
}

const gapRow = ({ merchantId, mode, dropped }: Gap): Row => [
  ...[merchantId, mode, new Date(), dropped],
  ...Array.from({ length: 11 }, () => null),
];

/** Writes the calls that wait, batch by batch. What cannot be written waits on. @throws the database's error. */
export async function writeRequests(pool: pg.Pool, log: RequestLog): Promise<void> {
  for (;;) {
    const taken = log.take(BATCH);
    const rows = [...taken.calls.map(rowOf), ...taken.gaps.map(gapRow)];
    if (rows.length === 0) return;
    const columns = Array.from({ length: 15 }, (_, at) => rows.map((row) => row[at] ?? null));
    try {
      await pool.query(WRITE, columns);
    } catch (error) {
      log.giveBack(taken);
      throw error;
    }
  }
}

/** Whether digits are a card's number: its last one is a check digit (Luhn, ISO/IEC 7812). */
function isCardNumber(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, doubled = false; at >= 0; at -= 1, doubled = !doubled) {
    const digit = Number(digits.charAt(at)) * (doubled ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

type Hidden = {
  /** A text without it holds nothing of the kind: looking for it costs much less than the pattern. */
  hint: string;
  pattern: RegExp;
  left: (found: string) => string;
};
function isHidden(name: string): boolean {
  const found = known.get(name);
  if (found !== undefined) return found;
  const hidden = HIDDEN_FIELD.test(name);
  if (known.size < MAX_KNOWN) known.set(name, hidden);
  return hidden;
}

/** A value without what is hidden by the name of its field, and no deeper or wider than is worth keeping. */
function withoutHidden(value: unknown, depth = 0): unknown {
  if (value instanceof NumberText || typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "…";
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => withoutHidden(item, depth + 1));
  const kept: [string, unknown][] = [];
  for (const [name, held] of Object.entries(value)) {
    if (kept.length === MAX_ITEMS) break;
    kept.push([name, held && isHidden(name) ? MASK : withoutHidden(held, depth + 1)]);
  }
  return Object.fromEntries(kept);
}
