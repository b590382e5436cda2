import type { Mode } from "@tillgate/contract";
import { Prisma } from "@tillgate/database";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { findWalletUser, readPhone } from "./find-wallet-user.js";

type Scope = { merchantId: string; mode: Mode };

/** So many rows of one reference, order number, word or person are found, the newest of what has no words. */
const MAX_MATCHES = 1_000;
/** So many of the newest rows are looked at for words: the index of words does not know which of its rows are new. */
const NEWEST = 1_000;
/** A word that so many of the newest rows have is looked for among them only. */
const FREQUENT = NEWEST / 2;
/** Of people with the words of a name, so many are looked up; others are found where they are among the newest rows. */
const MAX_PEOPLE = 20;

const idSchema = z.object({ id: z.string() });

/** Ids are written in capitals; people paste them as they find them. */
const asIds = (text: string): string[] => [text, text.toUpperCase()];

const idsOf = async (rows: PromiseLike<unknown[]>): Promise<string[]> =>
  parseRows(idSchema, await rows).map(({ id }) => id);

/** What the database looks for, which every kind of row has in common: words of texts, words of names (null: there is none), and people, each with so many of its payments. */
export type Asked = {
  words: string | null;
  names: string | null;
  people: string[];
  ofEach: number;
};

const askedSchema = z.object({ words: z.string().nullable(), names: z.string().nullable() });

/**
 * The words of a text, the last one a beginning, and the people that it names: by their whole e-mail address or phone number, which the
 * console masks, or by words of their name, which it shows.
 */
export async function askFor(context: Context, { merchantId, mode }: Scope, text: string): Promise<Asked> {
  const { prisma } = context.database;
  const [{ words, names } = { words: null, names: null }] = parseRows(
    askedSchema,
    await prisma.$queryRaw<unknown[]>`
      SELECT search_query(${merchantId}::uuid, ${mode}::mode, ${text})::text AS words, search_query(NULL, ${mode}::mode, ${text})::text AS names`,
  );
  const person = await personOf(context, mode, text);
  const people =
    person === null
      ? await idsOf(prisma.$queryRaw<unknown[]>`
          SELECT id FROM wallet_users WHERE search_words(NULL::uuid, mode, ARRAY[name]) @@ ${names}::tsquery LIMIT ${MAX_PEOPLE}`)
      : [person];
  return { words, names, people, ofEach: Math.ceil(MAX_MATCHES / Math.max(people.length, 1)) };
}

/** The wallet user that an e-mail address or a phone number names, or null. */
async function personOf(context: Context, mode: Mode, text: string): Promise<string | null> {
  const by = text.includes("@") ? { email: text } : { phone: text };
  if ("phone" in by && readPhone(text) === null) return null;
  return (await findWalletUser(context, by, mode))?.id ?? null;
}

/** A table whose texts are searched, as its index of words has them, and the function that asks that index. */
type Searched = {
  table: Prisma.Sql;
  withWords: Prisma.Sql;
  texts: Prisma.Sql;
  /** The wallet user of a row `n`. */
  person: Prisma.Sql;
};

const ORDERS: Searched = {
  table: Prisma.sql`orders`,
  withWords: Prisma.sql`orders_with_words`,
  texts: Prisma.sql`ARRAY[reference, order_number, description]`,
  person: Prisma.sql`(SELECT wallet_user_id FROM accounts WHERE id = n.payer_account_id)`,
};
const PAYOUTS: Searched = {
  table: Prisma.sql`payouts`,
  withWords: Prisma.sql`payouts_with_words`,
  texts: Prisma.sql`ARRAY[reference, description]`,
  person: Prisma.sql`n.wallet_user_id`,
};
const REFUNDS: Searched = {
  table: Prisma.sql`refunds`,
  withWords: Prisma.sql`refunds_with_words`,
  texts: Prisma.sql`ARRAY[reference, reason]`,
  person: Prisma.sql`NULL::uuid`,
};

/** Rows that have the words, or whose person's name has them: among the newest, then by the index of words. */
const byWords = (
  { table, withWords, texts, person }: Searched,
  { merchantId, mode }: Scope,
  { words, names }: Asked,
): Prisma.Sql => {
  const ofMerchant = Prisma.sql`merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode`;
  const hasWords = Prisma.sql`search_words(merchant_id, mode, ${texts}) @@ ${words}::tsquery`;
  return Prisma.sql`
    WITH newest AS MATERIALIZED (
      SELECT n.*, ${hasWords} AS has_words FROM (SELECT * FROM ${table} WHERE ${ofMerchant} ORDER BY created_at DESC, id DESC LIMIT ${NEWEST}) AS n),
    met AS MATERIALIZED (
      SELECT id FROM newest WHERE has_words
      UNION SELECT n.id FROM newest n JOIN wallet_users u ON u.id = ${person} WHERE search_words(NULL::uuid, u.mode, ARRAY[u.name]) @@ ${names}::tsquery)
    SELECT id FROM met
    UNION SELECT id FROM ${withWords}(${merchantId}::uuid, ${mode}::mode, ${words}::tsquery, ${MAX_MATCHES}) AS of (id)
      WHERE (SELECT count(*) FROM met) < ${FREQUENT}`;
};

/** Orders, refunds or payouts that a request of the console changed: the audit chain has their ids. */
const changedBy = (text: string, { merchantId }: Scope): Prisma.Sql =>
  Prisma.sql`ARRAY(SELECT subject FROM audit_records WHERE details::json ->> 'request_id' = ${text} AND merchant_id = ${merchantId}::uuid)`;

/** Rows of the newest payments with the wallets of people, each found by its transfer, so that no plan reads a table whole. */
const byPeople = (
  { table }: Searched,
  { merchantId, mode }: Scope,
  { people, ofEach }: Asked,
): Prisma.Sql => Prisma.sql`
  SELECT paid.id FROM accounts a
    CROSS JOIN LATERAL (SELECT transfer_id FROM entries WHERE account_id = a.id ORDER BY id DESC LIMIT ${ofEach}) AS e
    CROSS JOIN LATERAL (
      SELECT id FROM ${table} WHERE transfer_id = e.transfer_id AND merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode LIMIT 1) AS paid
    WHERE a.wallet_user_id = ANY(${people}::uuid[])`;

/**
 * Orders by id, transaction id, payment token, reference, order number, a request that made or changed them, words of their texts, or
 * the payer: e-mail, phone or words of the name.
 * @param known the same text's {@link askFor}, where the caller has it.
 */
export async function ordersMatching(
  context: Context,
  scope: Scope,
  text: string,
  known?: Asked,
): Promise<string[]> {
  const asked = known ?? (await askFor(context, scope, text));
  const ofMerchant = Prisma.sql`o.merchant_id = ${scope.merchantId}::uuid AND o.mode = ${scope.mode}::mode`;
  const newest = Prisma.sql`ORDER BY o.created_at DESC, o.id DESC LIMIT ${MAX_MATCHES}`;
  return idsOf(context.database.prisma.$queryRaw<unknown[]>`
    SELECT o.id FROM orders o WHERE o.id = ANY(${asIds(text)}) AND ${ofMerchant}
    UNION SELECT o.id FROM orders o WHERE o.trx_id = ANY(${asIds(text)}) AND ${ofMerchant}
    UNION SELECT o.id FROM orders o WHERE o.token = ${text} AND ${ofMerchant}
    UNION (SELECT o.id FROM orders o WHERE ${ofMerchant} AND o.reference = ${text} ${newest})
    UNION (SELECT o.id FROM orders o WHERE ${ofMerchant} AND o.order_number = ${text} ${newest})
    UNION SELECT o.id FROM orders o WHERE ARRAY[o.create_request_id, o.pay_request_id, o.cancel_request_id] @> ARRAY[${text}] AND ${ofMerchant}
    UNION SELECT o.id FROM orders o WHERE o.id = ANY(${changedBy(text, scope)}) AND ${ofMerchant}
    UNION (${byWords(ORDERS, scope, asked)})
    UNION (${byPeople(ORDERS, scope, asked)})`);
}

/**
 * Refunds by id, reference, a request that made or changed them, or words of their texts, and those of orders.
 * @param known the same text's {@link askFor}, and what {@link ordersMatching} found by it, where the caller has them.
 */
export async function refundsMatching(
  context: Context,
  scope: Scope,
  text: string,
  known?: { asked: Asked; orders: string[] },
): Promise<string[]> {
  const asked = known?.asked ?? (await askFor(context, scope, text));
  const ofOrders = known?.orders ?? (await ordersMatching(context, scope, text, asked));
  const ofMerchant = Prisma.sql`r.merchant_id = ${scope.merchantId}::uuid AND r.mode = ${scope.mode}::mode`;
  return idsOf(context.database.prisma.$queryRaw<unknown[]>`
    SELECT r.id FROM refunds r WHERE r.id = ANY(${asIds(text)}) AND ${ofMerchant}
    UNION (SELECT r.id FROM refunds r WHERE ${ofMerchant} AND r.reference = ${text} ORDER BY r.created_at DESC, r.id DESC LIMIT ${MAX_MATCHES})
    UNION SELECT r.id FROM refunds r WHERE r.request_id = ${text} AND ${ofMerchant}
    UNION SELECT r.id FROM refunds r WHERE r.id = ANY(${changedBy(text, scope)}) AND ${ofMerchant}
    UNION (${byWords(REFUNDS, scope, asked)})
    UNION (SELECT r.id FROM refunds r WHERE r.order_id = ANY(${ofOrders}) AND ${ofMerchant} LIMIT ${MAX_MATCHES})`);
}

/**
 * Payouts by id, transaction id, reference, a request of the console that changed them, words of their texts, or the recipient: e-mail,
 * phone or words of the name.
 * @param known the same text's {@link askFor}, where the caller has it.
 */
export async function payoutsMatching(
  context: Context,
  scope: Scope,
  text: string,
  known?: Asked,
): Promise<string[]> {
  const asked = known ?? (await askFor(context, scope, text));
  const ofMerchant = Prisma.sql`p.merchant_id = ${scope.merchantId}::uuid AND p.mode = ${scope.mode}::mode`;
  return idsOf(context.database.prisma.$queryRaw<unknown[]>`
    SELECT p.id FROM payouts p WHERE p.id = ANY(${asIds(text)}) AND ${ofMerchant}
    UNION SELECT p.id FROM payouts p WHERE p.trx_id = ANY(${asIds(text)}) AND ${ofMerchant}
    UNION SELECT p.id FROM payouts p WHERE ${ofMerchant} AND p.reference = ${text}
    UNION SELECT p.id FROM payouts p WHERE p.id = ANY(${changedBy(text, scope)}) AND ${ofMerchant}
    UNION (${byWords(PAYOUTS, scope, asked)})
    UNION (${byPeople(PAYOUTS, scope, asked)})
    UNION (SELECT p.id FROM payouts p WHERE ${ofMerchant} AND p.status = 'pending' AND p.wallet_user_id = ANY(${asked.people}::uuid[]) LIMIT ${MAX_MATCHES})`);
}
