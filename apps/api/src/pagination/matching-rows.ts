import type { Mode } from "@tillgate/contract";
import { Prisma } from "@tillgate/database";
import { AmountError, listAmountReadings, parseAmount } from "@tillgate/money";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { findPossiblePhones } from "../platform/phone-numbers.js";

/** A currency next to a number has at most ten letters; anything longer is text. */
const MAX_CURRENCY = 10;
const DIGIT = /\p{Nd}/u;

type Scope = { merchantId: string; mode: Mode };

/** Maximum matches per reference, order number, word or person; for exact fields, the newest. */
const MAX_MATCHES = 1_000;
/** Newest rows that are scanned for words, because the word index is not ordered by time. */
const NEWEST = 1_000;
/** A word found in this many of the newest rows is frequent, so only those rows are searched for it. */
const FREQUENT = NEWEST / 2;
/** People with a matching name whose rows are looked up. Rows of other people are found only among the newest rows. */
const MAX_PEOPLE = 20;

const idSchema = z.object({ id: z.string() });
const partSchema = z.object({ part: z.string(), id: z.string().nullable() });

/** Returns the IDs that a text may mean: IDs are upper case, but people type them in any case. */
const toIds = (text: string): string[] => [text, text.toUpperCase()];

export type ParsedSearch = {
  /** As typed, or the token from a payment page URL. */
  text: string;
  /** `words`: tsquery of texts or amounts. `names`: tsquery of names. Null if there are none. */
  words: string | null;
  names: string | null;
  /** IDs of matching people. */
  people: string[];
  perPerson: number;
};

/** IDs of matching rows and, if they are incomplete, the condition that selects every matching row. */
export type Matches = { ids: string[]; condition: ((row: Prisma.Sql) => Prisma.Sql) | null };

const searchSchema = z.object({ words: z.string().nullable(), names: z.string().nullable() });

/**
 * Parses a search text. People are found by words in their name, which the console displays, but only by complete e-mail address or phone number,
 * which it masks.
 */
export async function parseSearch(
  context: Context,
  { merchantId, mode }: Scope,
  input: string,
): Promise<ParsedSearch> {
  const { prisma } = context.database;
  const text = extractPaymentToken(context, input.trim().normalize("NFC"));
  const amounts = await findAmountLexemes(context, text);
  const [{ words, names } = { words: null, names: null }] = parseRows(
    searchSchema,
    await prisma.$queryRaw<unknown[]>`
      SELECT search_query(${merchantId}::uuid, ${mode}::mode, ${text}, ${amounts})::text AS words, search_query(NULL, ${mode}::mode, ${text})::text AS names`,
  );
  const contacts = await findPeopleByContact(context, mode, text);
  const matchingUsers =
    contacts.length > 0
      ? contacts
      : parseRows(
          idSchema,
          await prisma.$queryRaw<unknown[]>`
            SELECT id FROM wallet_users WHERE search_words(NULL::uuid, mode, ARRAY[name]) @@ ${names}::tsquery LIMIT ${MAX_PEOPLE}`,
        );
  const people = matchingUsers.map(({ id }) => id);
  return { text, words, names, people, perPerson: Math.ceil(MAX_MATCHES / Math.max(people.length, 1)) };
}

/** Returns the token in a URL of an order, payment link or till on the payment page's origin; returns any other text unchanged. */
function extractPaymentToken({ config: { payUrl } }: Context, text: string): string {
  const stripScheme = (address: string) => address.replace(/^https?:\/\//i, "");
  const origin = `${stripScheme(payUrl)}/`;
  const address = stripScheme(text);
  if (!address.toLowerCase().startsWith(origin.toLowerCase())) return text;
  const [path = ""] = address.slice(origin.length).split(/[?#]/);
  return path.split("/").filter(Boolean).at(-1) ?? text;
}

/** Finds people by complete e-mail address or phone number. A national number may match several countries. */
async function findPeopleByContact(context: Context, mode: Mode, text: string): Promise<{ id: string }[]> {
  const contact = text.includes("@")
    ? { email: text.trim().toLowerCase() }
    : { phone: { in: findPossiblePhones(text) } };
  return context.database.prisma.walletUser.findMany({ where: { mode, ...contact }, take: MAX_PEOPLE });
}

type Searched = {
  table: Prisma.Sql;
  withWords: Prisma.Sql;
  /** The words of a row, as indexed. */
  words: (row: Prisma.Sql) => Prisma.Sql;
  /** Columns that are matched as a whole. */
  names: readonly string[];
  /** The wallet user of a row. */
  person: (row: Prisma.Sql) => Prisma.Sql;
};

const ORDERS: Searched = {
  table: Prisma.sql`orders`,
  withWords: Prisma.sql`orders_with_words`,
  words: (row) =>
    Prisma.sql`search_words(${row}.merchant_id, ${row}.mode, ARRAY[${row}.reference, ${row}.order_number, ${row}.description, ${row}.terminal_id],
      ARRAY[${row}.currency::text || ${row}.amount::text])`,
  names: ["reference", "order_number"],
  person: (row) => Prisma.sql`(SELECT wallet_user_id FROM accounts WHERE id = ${row}.payer_account_id)`,
};
const PAYOUTS: Searched = {
  table: Prisma.sql`payouts`,
  withWords: Prisma.sql`payouts_with_words`,
  words: (row) =>
    Prisma.sql`search_words(${row}.merchant_id, ${row}.mode, ARRAY[${row}.reference, ${row}.description],
      ARRAY[${row}.sender_currency::text || ${row}.amount::text, ${row}.sender_currency::text || (${row}.amount + ${row}.fee)::text,
        ${row}.receiver_currency::text || ${row}.receiver_amount::text])`,
  names: ["reference"],
  person: (row) => Prisma.sql`${row}.wallet_user_id`,
};
const REFUNDS: Searched = {
  table: Prisma.sql`refunds`,
  withWords: Prisma.sql`refunds_with_words`,
  words: (row) =>
    Prisma.sql`search_words(${row}.merchant_id, ${row}.mode, ARRAY[${row}.reference, ${row}.reason], ARRAY[${row}.currency::text || ${row}.amount::text])`,
  names: ["reference"],
  person: () => Prisma.sql`NULL::uuid`,
};

const NEW = Prisma.sql`n`;

/** Searches the newest rows first, then the word index. */
const findByWords = (
  { table, withWords, words: wordsOf, person }: Searched,
  { merchantId, mode }: Scope,
  { words, names }: ParsedSearch,
): Prisma.Sql => {
  const ofMerchant = Prisma.sql`merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode`;
  return Prisma.sql`
    WITH newest AS MATERIALIZED (
      SELECT n.*, ${wordsOf(NEW)} @@ ${words}::tsquery AS has_words
      FROM (SELECT * FROM ${table} WHERE ${ofMerchant} ORDER BY created_at DESC, id DESC LIMIT ${NEWEST}) AS n),
    met AS MATERIALIZED (
      SELECT id FROM newest WHERE has_words
      UNION SELECT n.id FROM newest n JOIN wallet_users u ON u.id = ${person(NEW)} WHERE search_words(NULL::uuid, u.mode, ARRAY[u.name]) @@ ${names}::tsquery)
    SELECT 'newest' AS part, id FROM met
    UNION ALL SELECT 'indexed', id FROM ${withWords}(${merchantId}::uuid, ${mode}::mode, ${words}::tsquery, ${MAX_MATCHES}) AS of (id)
      WHERE (SELECT count(*) FROM met) < ${FREQUENT}`;
};

/** Returns SQL for the IDs of the objects that a console request changed, from the audit log. */
const changedRowsSql = ({ text }: ParsedSearch, { merchantId }: Scope): Prisma.Sql =>
  Prisma.sql`ARRAY(SELECT subject FROM audit_records WHERE details::json ->> 'request_id' = ${text} AND merchant_id = ${merchantId}::uuid)`;

/** Looks up people's rows by transfer, so that no plan scans a table. The ID is null for a transfer without a row of this merchant and mode. */
const findByPeople = (
  { table }: Searched,
  { merchantId, mode }: Scope,
  { people, perPerson }: ParsedSearch,
): Prisma.Sql => Prisma.sql`
  SELECT a.id::text, paid.id FROM accounts a
    CROSS JOIN LATERAL (SELECT transfer_id FROM entries WHERE account_id = a.id ORDER BY id DESC LIMIT ${perPerson}) AS e
    LEFT JOIN LATERAL (
      SELECT id FROM ${table} WHERE transfer_id = e.transfer_id AND merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode LIMIT 1) AS paid ON true
    WHERE a.wallet_user_id = ANY(${people}::uuid[])`;

/** Creates a condition for scans, which replace index lookups that hit a limit. */
const createCondition =
  ({ words: wordsOf, names: columns, person }: Searched, search: ParsedSearch, ids: string[]) =>
  (row: Prisma.Sql): Prisma.Sql => {
    const { text, words, names, people } = search;
    const isExact = columns.map((column) => Prisma.sql`${row}.${Prisma.raw(column)} = ${text}`);
    return Prisma.sql`(${row}.id = ANY(${ids}) OR ${Prisma.join(isExact, " OR ")} OR ${wordsOf(row)} @@ ${words}::tsquery
      OR (SELECT u.id = ANY(${people}::uuid[]) OR search_words(NULL::uuid, u.mode, ARRAY[u.name]) @@ ${names}::tsquery
        FROM wallet_users u WHERE u.id = ${person(row)}))`;
  };

/** Collects the IDs. If a lookup reached its limit, they are incomplete, so the result also includes a condition that all matching rows meet. */
async function toMatches(
  rows: PromiseLike<unknown[]>,
  searched: Searched,
  search: ParsedSearch,
): Promise<Matches> {
  const parts = parseRows(partSchema, await rows);
  const ids = [...new Set(parts.flatMap(({ id }) => id ?? []))];
  const counts = new Map<string, number>();
  for (const { part } of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  const limits = new Map([
    ["exact", Number.POSITIVE_INFINITY],
    ["newest", FREQUENT],
    ["indexed", MAX_MATCHES],
    ["named", MAX_MATCHES],
  ]);
  const isComplete =
    search.people.length < MAX_PEOPLE &&
    [...counts].every(([part, count]) => count < (limits.get(part) ?? search.perPerson));
  return { ids, condition: isComplete ? null : createCondition(searched, search, ids) };
}

/** @param known the result of {@link parseSearch} for the same text, if the caller has it. */
export async function matchOrders(
  context: Context,
  scope: Scope,
  typed: string,
  known?: ParsedSearch,
): Promise<Matches> {
  const search = known ?? (await parseSearch(context, scope, typed));
  const { text } = search;
  const ofMerchant = Prisma.sql`o.merchant_id = ${scope.merchantId}::uuid AND o.mode = ${scope.mode}::mode`;
  const newest = Prisma.sql`ORDER BY o.created_at DESC, o.id DESC LIMIT ${MAX_MATCHES}`;
  return toMatches(
    context.database.prisma.$queryRaw<unknown[]>`
      SELECT 'exact' AS part, o.id FROM orders o WHERE o.id = ANY(${toIds(text)}) AND ${ofMerchant}
      UNION ALL SELECT 'exact', o.id FROM orders o WHERE o.trx_id = ANY(${toIds(text)}) AND ${ofMerchant}
      UNION ALL SELECT 'exact', o.id FROM orders o WHERE o.token = ${text} AND ${ofMerchant}
      UNION ALL (SELECT 'named', o.id FROM orders o WHERE ${ofMerchant} AND o.reference = ${text} ${newest})
      UNION ALL (SELECT 'named', o.id FROM orders o WHERE ${ofMerchant} AND o.order_number = ${text} ${newest})
      UNION ALL SELECT 'exact', o.id FROM orders o WHERE ARRAY[o.create_request_id, o.pay_request_id, o.cancel_request_id] @> ARRAY[${text}] AND ${ofMerchant}
      UNION ALL SELECT 'exact', o.id FROM orders o WHERE o.id = ANY(${changedRowsSql(search, scope)}) AND ${ofMerchant}
      UNION ALL (${findByWords(ORDERS, scope, search)})
      UNION ALL (${findByPeople(ORDERS, scope, search)})`,
    ORDERS,
    search,
  );
}

/** @param known the results of {@link parseSearch} and {@link matchOrders} for the same text, if the caller has them. */
export async function matchRefunds(
  context: Context,
  scope: Scope,
  typed: string,
  known?: { search: ParsedSearch; orders: Matches },
): Promise<Matches> {
  const search = known?.search ?? (await parseSearch(context, scope, typed));
  const orders = known?.orders ?? (await matchOrders(context, scope, typed, search));
  const { text } = search;
  const ofMerchant = Prisma.sql`r.merchant_id = ${scope.merchantId}::uuid AND r.mode = ${scope.mode}::mode`;
  const matches = await toMatches(
    context.database.prisma.$queryRaw<unknown[]>`
      SELECT 'exact' AS part, r.id FROM refunds r WHERE r.id = ANY(${toIds(text)}) AND ${ofMerchant}
      UNION ALL (SELECT 'named', r.id FROM refunds r WHERE ${ofMerchant} AND r.reference = ${text} ORDER BY r.created_at DESC, r.id DESC LIMIT ${MAX_MATCHES})
      UNION ALL SELECT 'exact', r.id FROM refunds r WHERE r.request_id = ${text} AND ${ofMerchant}
      UNION ALL SELECT 'exact', r.id FROM refunds r WHERE r.id = ANY(${changedRowsSql(search, scope)}) AND ${ofMerchant}
      UNION ALL (${findByWords(REFUNDS, scope, search)})
      UNION ALL (SELECT 'named', r.id FROM refunds r WHERE r.order_id = ANY(${orders.ids}) AND ${ofMerchant} LIMIT ${MAX_MATCHES})`,
    REFUNDS,
    search,
  );
  const { condition: orderCondition } = orders;
  if (matches.condition === null && orderCondition === null) return matches;
  const refundCondition = matches.condition ?? createCondition(REFUNDS, search, matches.ids);
  const condition = (row: Prisma.Sql) =>
    orderCondition === null
      ? Prisma.sql`(${refundCondition(row)} OR ${row}.order_id = ANY(${orders.ids}))`
      : Prisma.sql`(${refundCondition(row)} OR (SELECT ${orderCondition(Prisma.sql`o`)} FROM orders o WHERE o.id = ${row}.order_id))`;
  return { ids: matches.ids, condition };
}

/** @param known the result of {@link parseSearch} for the same text, if the caller has it. */
export async function matchPayouts(
  context: Context,
  scope: Scope,
  typed: string,
  known?: ParsedSearch,
): Promise<Matches> {
  const search = known ?? (await parseSearch(context, scope, typed));
  const { text } = search;
  const ofMerchant = Prisma.sql`p.merchant_id = ${scope.merchantId}::uuid AND p.mode = ${scope.mode}::mode`;
  return toMatches(
    context.database.prisma.$queryRaw<unknown[]>`
      SELECT 'exact' AS part, p.id FROM payouts p WHERE p.id = ANY(${toIds(text)}) AND ${ofMerchant}
      UNION ALL SELECT 'exact', p.id FROM payouts p WHERE p.trx_id = ANY(${toIds(text)}) AND ${ofMerchant}
      UNION ALL SELECT 'exact', p.id FROM payouts p WHERE ${ofMerchant} AND p.reference = ${text}
      UNION ALL SELECT 'exact', p.id FROM payouts p WHERE p.id = ANY(${changedRowsSql(search, scope)}) AND ${ofMerchant}
      UNION ALL (${findByWords(PAYOUTS, scope, search)})
      UNION ALL (${findByPeople(PAYOUTS, scope, search)})
      UNION ALL (SELECT 'named', p.id FROM payouts p WHERE ${ofMerchant} AND p.status = 'pending' AND p.wallet_user_id = ANY(${search.people}::uuid[]) LIMIT ${MAX_MATCHES})`,
    PAYOUTS,
    search,
  );
}

/**
 * Returns lexemes such as `EUR4150`, in the currency next to the number or, without one, in every currency. A sign is ignored, because statements
 * show signs.
 */
async function findAmountLexemes({ database: { prisma } }: Context, text: string): Promise<string[]> {
  const { number, currencyText } = splitAmount(text);
  if (currencyText.length > MAX_CURRENCY) return [];
  const readings = listAmountReadings(number);
  if (readings.length === 0) return [];
  const currencies = await prisma.currency.findMany({ select: { code: true, digits: true, symbol: true } });
  return currencies
    .filter(({ code, symbol }) => ["", code, symbol.toUpperCase()].includes(currencyText))
    .flatMap(({ code, digits }) => readings.flatMap((reading) => toAmountLexeme(reading, code, digits)));
}

/** Returns the text from the first digit to the last, and the rest in upper case without signs and spaces. */
function splitAmount(text: string): { number: string; currencyText: string } {
  const letters = [...text];
  const first = letters.findIndex((letter) => DIGIT.test(letter));
  const last = letters.findLastIndex((letter) => DIGIT.test(letter));
  if (first < 0) return { number: "", currencyText: "" };
  const currencyText = [...letters.slice(0, first), ...letters.slice(last + 1)].join("");
  return {
    number: letters.slice(first, last + 1).join(""),
    currencyText: currencyText.replace(/[\s+\-\u2212]/g, "").toUpperCase(),
  };
}

/** Returns an empty list for an amount that the currency cannot represent. */
function toAmountLexeme(reading: string, code: string, digits: number): string[] {
  try {
    return [`${code}${parseAmount(reading, digits)}`];
  } catch (error) {
    if (error instanceof AmountError) return [];
    throw error;
  }
}
