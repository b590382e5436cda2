import { NumberText } from "@tillgate/contract";
import type pg from "pg";
import type { ApiCallEntry, Gap, RequestLog } from "./request-log.js";

export const MASK = "•••";

/** Names of fields whose values are never stored: secrets, tokens, PINs, cards, and personal and contact data. */
const HIDDEN_FIELD =
  /secret|password|passwd|token|authorization|cookie|session|signature|api_?key|phone|mobile|^tel$|_tel$|e[_-]?mail|^pin$|_pin$|pin_?code|^otp$|iban|card|cvv|cvc|^csc$|^pan$|_pan$|^(?:first|last|full|given|family|recipient|holder)?_?name$/i;
const hide = (hint: string, pattern: RegExp, left: (match: string) => string = () => MASK): Hidden => ({
  hint,
  pattern,
  left,
});

/** Patterns removed from every text, regardless of its field. None of them matches beyond a JSON string's quotes. */
const HIDDEN_TEXTS: readonly Hidden[] = [
  // Tillgate's secrets and tokens, and third-party secrets by their usual prefixes.
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
  // Card numbers, with or without spaces.
  hide("", /(?<![\w-])\d(?:[ -]?\d){12,18}(?![\w-])/g, (digits) =>
    isCardNumber(digits.replace(/\D/g, "")) ? MASK : digits,
  ),
  // Path segments that grant access: a session, a password reset or an invitation link.
  hide(
    "/",
    /\/((?:password-)?resets?|sessions?|invitations?|verify|confirm|tokens?)\/[\w.~-]{8,}/gi,
    (match) => `${match.slice(0, match.lastIndexOf("/"))}/${MASK}`,
  ),
  // A payment page's URL is enough to open it. Query and user info of any URL may contain a secret.
  hide("/pay/", /\/pay\/[\w-]{12,}/g, () => `/pay/${MASK}`),
  hide("?", /\?[^\s"#?]+/g, () => `?${MASK}`),
  hide("@", /:\/\/[^\s/@"]+@/g, () => `://${MASK}@`),
  // Personal contact data: only the host of an e-mail address remains.
  hide("@", /[\w.%+-]+@?/g, (word) => (word.endsWith("@") ? `${MASK}@` : word)),
  hide("+", /\+\d{2}[\d ().-]{5,16}\d/g),
  // Phone numbers in national format, or international with 00.
  hide("0", /(?<![\w.,:+-])0[1-9](?:[ .-]?\d\d){4}(?![\w:-])/g),
  hide("00", /(?<![\w.,:+-])00[1-9](?:[ .-]?\d){8,13}(?![\w:-])/g),
];

/** A longer text is truncated. Patterns are matched beyond the cut, so that a match that starts before the cut is masked as a whole. */
const MAX_TEXT = 4_000;
const BEYOND_CUT = 500;
const MAX_DEPTH = 8;
const MAX_ITEMS = 50;

export const maskText = (text: string): string =>
  HIDDEN_TEXTS.reduce(
    (masked, { hint, pattern, left }) => (masked.includes(hint) ? masked.replace(pattern, left) : masked),
    text.slice(0, MAX_TEXT + BEYOND_CUT),
  ).slice(0, MAX_TEXT);

/** Caches whether a field name is hidden, because clients use the same names repeatedly. */
const hiddenNames = new Map<string, boolean>();
const MAX_KNOWN = 1_000;

export const toMaskedJson = (value: unknown): string => maskText(JSON.stringify(withoutHidden(value)) ?? "");

/** Calls written per statement. */
const BATCH = 500;
const MAX_PATH_CHARACTERS = 300;

// One statement is one transaction. Its commit does not wait for the disk, so a crash of the database loses the latest log entries.
const WRITE = `
  WITH quick AS (SELECT set_config('synchronous_commit', 'off', true))
  INSERT INTO api_requests (merchant_id, mode, at, dropped, request_id, credential_id, method, path, status, error_code, duration_ms,
    client_address, about, request_body, answer_body)
  SELECT w.* FROM quick, unnest($1::uuid[], $2::mode[], $3::timestamptz[], $4::int[], $5::text[], $6::uuid[], $7::text[], $8::text[],
    $9::smallint[], $10::text[], $11::int[], $12::text[], $13::text[], $14::text[], $15::text[]) AS w`;

type Row = readonly (string | number | Date | null)[];

/** Returns masked, truncated JSON; null without a body. JSON escapes NUL, which PostgreSQL cannot store. */
export const toLoggedBody = (body: unknown): string | null =>
  body === null || body === undefined ? null : toMaskedJson(body);

const property = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
const toText = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** Returns the ID of the order, refund or payout that a call concerns: from the path or, if it contains none, from the response. */
export function findSubject(path: string, response: unknown): string | null {
  const pathMatch = /\/(?:orders|refunds|payout|payouts)\/([A-Za-z0-9_-]+)/.exec(path)?.[1];
  const data = property(response, "data");
  const payout = property(property(data, "payout"), "payout_id");
  const createdId = payout ?? property(data, "refund_id") ?? property(data, "order_id");
  return pathMatch ?? toText(createdId);
}

function toRow(call: ApiCallEntry): Row {
  const path = maskText(call.path.split("?")[0] ?? "");
  return [
    call.merchantId,
    call.mode,
    call.at,
    0,
    call.requestId,
    call.credentialId,
    call.method,
    path.slice(0, MAX_PATH_CHARACTERS),
    call.status,
    toText(property(call.responseBody, "error_code")),
    // Rounded up, because a timeline computes the call's start from its duration, and the start must not be later than the call's effects.
    Math.ceil(call.durationMs),
    call.clientAddress,
    findSubject(call.path, call.responseBody),
    toLoggedBody(call.requestBody),
    toLoggedBody(call.responseBody),
  ];
}

const gapRow = ({ merchantId, mode, dropped }: Gap): Row => [
  ...[merchantId, mode, new Date(), dropped],
  ...Array.from({ length: 11 }, () => null),
];

/** Writes the queued calls. On an error, unwritten calls stay queued. @throws the database's error. */
export async function writeRequests(pool: pg.Pool, log: RequestLog): Promise<void> {
  for (;;) {
    const batch = log.take(BATCH);
    const rows = [...batch.calls.map(toRow), ...batch.gaps.map(gapRow)];
    if (rows.length === 0) return;
    const columns = Array.from({ length: 15 }, (_, at) => rows.map((row) => row[at] ?? null));
    try {
      await pool.query(WRITE, columns);
    } catch (error) {
      log.requeue(batch);
      throw error;
    }
  }
}

/** Checks the check digit (Luhn, ISO/IEC 7812). */
function isCardNumber(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, doubled = false; at >= 0; at -= 1, doubled = !doubled) {
    const digit = Number(digits.charAt(at)) * (doubled ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

type Hidden = {
  /** Every match contains this substring. Searching for it is much cheaper than matching the pattern. */
  hint: string;
  pattern: RegExp;
  left: (match: string) => string;
};
function isHidden(name: string): boolean {
  const cached = hiddenNames.get(name);
  if (cached !== undefined) return cached;
  const hidden = HIDDEN_FIELD.test(name);
  if (hiddenNames.size < MAX_KNOWN) hiddenNames.set(name, hidden);
  return hidden;
}

/** Masks sensitive fields, replaces objects and arrays that are nested too deeply with `…`, and drops fields and items beyond the maximum. */
function withoutHidden(value: unknown, depth = 0): unknown {
  if (value instanceof NumberText || typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "…";
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => withoutHidden(item, depth + 1));
  const stored: [string, unknown][] = [];
  for (const [name, fieldValue] of Object.entries(value)) {
    if (stored.length === MAX_ITEMS) break;
    stored.push([name, fieldValue && isHidden(name) ? MASK : withoutHidden(fieldValue, depth + 1)]);
  }
  return Object.fromEntries(stored);
}
