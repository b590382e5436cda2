import { createHmac, timingSafeEqual } from "node:crypto";
import type { Keyring } from "@tillgate/database";
import { queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { signingKey } from "../../identity/credentials/access-token.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import { type CursorField, invalidCursor } from "../../pagination/keyset-page.js";
import { findMerchantWallet } from "./list.js";
import { TOP_UP_REFERENCE } from "./top-up.js";

/** Bytes of a cursor's signature. Without it, a forged cursor could display wrong balances. */
const SIGNATURE_BYTES = 16;

const POSITION = /^(\d{1,18})\.(\d{1,18})\.([\w-]{22})$/;

export const statementEntrySchema = z.object({
  entryId: z.bigint(),
  at: z.date(),
  kind: z.string(),
  amount: z.bigint(),
  /** As read, the wallet's current balance; in a {@link StatementEntry}, the balance after the entry. */
  balance: z.bigint(),
  orderId: z.string().nullable(),
  refundId: z.string().nullable(),
  payoutId: z.string().nullable(),
  reference: z.string().nullable(),
  /** Reference of the refunded order. */
  orderReference: z.string().nullable(),
});
/** One line of a statement, with the balance after it; minor units. */
export type StatementEntry = z.output<typeof statementEntrySchema>;
export type Statement = { entries: StatementEntry[]; next: string | null; previous: string | null };

/** Columns and joins of an entry `n` of the account `a`. */
export const STATEMENT_COLUMNS = `
  n.id AS "entryId", t.created_at AS at, t.kind::text AS kind, n.amount, a.balance, o.id AS "orderId", r.id AS "refundId", p.id AS "payoutId",
    coalesce(o.reference, r.reference, p.reference,
      CASE WHEN starts_with(t.external_reference, '${TOP_UP_REFERENCE} ' || a.id || ' ') THEN '${TOP_UP_REFERENCE}' ELSE t.external_reference END
    ) AS reference,
    (SELECT coalesce(reference, order_number) FROM orders WHERE id = r.order_id) AS "orderReference"`;
export const STATEMENT_JOINS = `
  JOIN transfers t ON t.id = n.transfer_id
  LEFT JOIN orders o ON o.transfer_id = t.id AND o.mode = a.mode
  LEFT JOIN LATERAL (SELECT id, reference, order_id FROM refunds WHERE transfer_id = t.id UNION ALL SELECT id, reference, order_id FROM refunds WHERE hold_transfer_id = t.id LIMIT 1) AS r ON true
  LEFT JOIN LATERAL (SELECT id, reference FROM payouts WHERE transfer_id = t.id UNION ALL SELECT id, reference FROM payouts WHERE hold_transfer_id = t.id LIMIT 1) AS p ON true`;

/**
 * Returns SQL that reads the balance and the newest entries in one statement, so that they are consistent. Entries of a wallet get their
 * ids under its lock, so ids are in booking order.
 */
const statementSql = (newer: boolean): string => `
  SELECT ${STATEMENT_COLUMNS}
  FROM accounts a
  CROSS JOIN LATERAL (SELECT * FROM entries WHERE account_id = a.id AND ($2::bigint IS NULL OR id ${newer ? ">" : "<="} $2)
    ORDER BY id ${newer ? "" : "DESC"} LIMIT $3) AS n
  ${STATEMENT_JOINS}
  WHERE a.id = $1 ORDER BY n.id ${newer ? "" : "DESC"}`;

/**
 * Reads a page of the entries of a merchant's wallet, newest first, each with the balance after it.
 * @throws OperationError WalletNotFound; InvalidFields for a cursor that is not in this statement.
 */
export async function readStatement(
  context: Context,
  scope: MerchantScope,
  query: {
    currency: string;
    before?: string | undefined;
    after?: string | undefined;
    per_page: number;
    /** The caller's name for its cursor. */
    cursorField?: CursorField;
  },
): Promise<Statement> {
  const { per_page: size } = query;
  const accountId = await findMerchantWallet(context, scope, query.currency);
  const newer = query.after !== undefined;
  const text = query.after ?? query.before;
  const cursor = text === undefined ? null : decodePosition(context.keyring, accountId, text);
  if (text !== undefined && !cursor) throw invalidCursor(query.cursorField ?? (newer ? "after" : "before"));
  // When paging to older entries, the cursor's own entry is read too, because its amount is needed to compute the next balance.
  const extra = cursor && !newer ? 1 : 0;
  const parameters = [accountId, cursor?.entryId ?? null, size + 1 + extra];
  const entryRows = await queryRows(
    context.database.pool,
    statementEntrySchema,
    statementSql(newer),
    parameters,
  );
  const more = entryRows.length > size + extra;
  const rows = entryRows.slice(0, size + extra);
  const entries = newer ? sumUp(rows, cursor) : sumDown(rows, cursor).slice(extra);
  const write = (entry: StatementEntry | undefined): string | null =>
    entry ? encodePosition(context.keyring, accountId, entry) : null;
  const [first, last] = [write(entries[0]), write(entries.at(-1))];
  return newer
    ? { entries, next: last ?? text ?? null, previous: more ? first : null }
    : { entries, next: more ? last : null, previous: text === undefined ? null : (first ?? text) };
}

/** Adds balances to rows that are newest first, starting from the current balance, or from the cursor's entry if that is the first row. */
function sumDown(rows: StatementEntry[], cursor: StatementPosition | null): StatementEntry[] {
  let balance = cursor?.balance ?? rows[0]?.balance ?? 0n;
  return rows.map((row) => {
    const entry = { ...row, balance };
    balance -= row.amount;
    return entry;
  });
}

/** Adds balances to rows that are oldest first, starting from the balance after the cursor's entry. Returns them newest first. */
function sumUp(rows: StatementEntry[], cursor: StatementPosition | null): StatementEntry[] {
  let balance = cursor?.balance ?? 0n;
  return rows
    .map((row) => {
      balance += row.amount;
      return { ...row, balance };
    })
    .reverse();
}

/** A cursor in a wallet's statement: an entry, and the balance after it in minor units. A page far back thus need not sum up everything after it. */
type StatementPosition = { entryId: bigint; balance: bigint };

function computeSignature(keyring: Keyring, keyId: string, accountId: string, signed: string): Buffer | null {
  const key = signingKey(keyring, keyId, "statement place");
  const signature = key && createHmac("sha256", key).update(`${accountId} ${signed}`).digest();
  return signature ? signature.subarray(0, SIGNATURE_BYTES) : null;
}

/** Encodes a signed cursor for one account. */
function encodePosition(
  keyring: Keyring,
  accountId: string,
  { entryId, balance }: StatementPosition,
): string {
  const signed = `${entryId}.${balance}`;
  const signature = computeSignature(keyring, keyring.current, accountId, signed);
  if (!signature) throw new Error("the current encryption key is missing");
  return `${signed}.${signature.toString("base64url")}`;
}

/** Decodes a cursor; null if it was not signed here for this account. */
function decodePosition(keyring: Keyring, accountId: string, text: string): StatementPosition | null {
  const [, entryId, balance, receivedSignature] = POSITION.exec(text) ?? [];
  if (entryId === undefined || balance === undefined || receivedSignature === undefined) return null;
  const signature = Buffer.from(receivedSignature, "base64url");
  const isSignedHere = [...keyring.keys.keys()].some((keyId) => {
    const expected = computeSignature(keyring, keyId, accountId, `${entryId}.${balance}`);
    return expected !== null && expected.length === signature.length && timingSafeEqual(expected, signature);
  });
  return isSignedHere ? { entryId: BigInt(entryId), balance: BigInt(balance) } : null;
}
