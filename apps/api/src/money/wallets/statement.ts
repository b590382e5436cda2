import { createHmac, timingSafeEqual } from "node:crypto";
import type { Keyring } from "@tillgate/database";
import { queryRows } from "@tillgate/service";
import type { Context } from "../../context.js";
import { signingKey } from "../../identity/credentials/access-token.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import { type CursorField, invalidCursor } from "../../pagination/keyset-page.js";
import {
  ENTRY_COLUMNS,
  ENTRY_JOINS,
  type StatementEntry,
  statementEntrySchema,
  withBalances,
} from "./entries.js";
import { findMerchantWallet } from "./list.js";

/** Bytes of a cursor's signature. Without a signature, a forged cursor could display wrong balances. */
const SIGNATURE_BYTES = 16;

const POSITION = /^(\d{1,18})\.(\d{1,18})\.([\w-]{22})$/;

export type Statement = { entries: StatementEntry[]; next: string | null; previous: string | null };

/**
 * Returns one SQL statement for a page, so that balance and entries are consistent. Entries get their IDs under the wallet's lock, so IDs are in
 * booking order.
 */
const statementSql = (newer: boolean): string => `
  SELECT ${ENTRY_COLUMNS}
  FROM accounts a
  CROSS JOIN LATERAL (SELECT * FROM entries WHERE account_id = a.id AND ($2::bigint IS NULL OR id ${newer ? ">" : "<="} $2)
    ORDER BY id ${newer ? "" : "DESC"} LIMIT $3) AS n
  ${ENTRY_JOINS}
  WHERE a.id = $1 ORDER BY n.id ${newer ? "" : "DESC"}`;

/** Reads a page of entries, newest first. @throws OperationError WalletNotFound; InvalidFields for a cursor that is not in this statement. */
export async function readStatement(
  context: Context,
  scope: MerchantScope,
  query: {
    currency: string;
    before?: string | undefined;
    after?: string | undefined;
    per_page: number;
    /** Name of the cursor field in the caller's request, for errors. */
    cursorField?: CursorField;
  },
): Promise<Statement> {
  const { per_page: size } = query;
  const accountId = await findMerchantWallet(context, scope, query.currency);
  const newer = query.after !== undefined;
  const text = query.after ?? query.before;
  const cursor = text === undefined ? null : decodePosition(context.keyring, accountId, text);
  if (text !== undefined && !cursor) throw invalidCursor(query.cursorField ?? (newer ? "after" : "before"));
  // When paging to older entries, the cursor's entry is also read, because its amount is needed to compute the next balance.
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
  const entries = newer
    ? withBalances(rows, cursor?.balance ?? 0n).reverse()
    : sumDown(rows, cursor).slice(extra);
  const write = (entry: StatementEntry | undefined): string | null =>
    entry ? encodePosition(context.keyring, accountId, entry) : null;
  const [first, last] = [write(entries[0]), write(entries.at(-1))];
  return newer
    ? { entries, next: last ?? text ?? null, previous: more ? first : null }
    : { entries, next: more ? last : null, previous: text === undefined ? null : (first ?? text) };
}

/** Sets the balance after each entry. Rows are newest first and start with the cursor's entry or, without a cursor, with the newest entry. */
function sumDown(rows: StatementEntry[], cursor: StatementPosition | null): StatementEntry[] {
  let balance = cursor?.balance ?? rows[0]?.balance ?? 0n;
  return rows.map((row) => {
    const entry = { ...row, balance };
    balance -= row.amount;
    return entry;
  });
}

/** An entry, and the balance after it in minor units. */
export type StatementPosition = { entryId: bigint; balance: bigint };

function computeSignature(keyring: Keyring, keyId: string, accountId: string, signed: string): Buffer | null {
  const key = signingKey(keyring, keyId, "statement place");
  const signature = key && createHmac("sha256", key).update(`${accountId} ${signed}`).digest();
  return signature ? signature.subarray(0, SIGNATURE_BYTES) : null;
}

export function encodePosition(
  keyring: Keyring,
  accountId: string,
  { entryId, balance }: StatementPosition,
): string {
  const signed = `${entryId}.${balance}`;
  const signature = computeSignature(keyring, keyring.current, accountId, signed);
  if (!signature) throw new Error("the current encryption key is missing");
  return `${signed}.${signature.toString("base64url")}`;
}

/** Decodes a cursor. Returns null unless {@link encodePosition} signed it for this account. */
export function decodePosition(keyring: Keyring, accountId: string, text: string): StatementPosition | null {
  const [, entryId, balance, receivedSignature] = POSITION.exec(text) ?? [];
  if (entryId === undefined || balance === undefined || receivedSignature === undefined) return null;
  const signature = Buffer.from(receivedSignature, "base64url");
  const isSignedHere = [...keyring.keys.keys()].some((keyId) => {
    const expected = computeSignature(keyring, keyId, accountId, `${entryId}.${balance}`);
    return expected !== null && expected.length === signature.length && timingSafeEqual(expected, signature);
  });
  return isSignedHere ? { entryId: BigInt(entryId), balance: BigInt(balance) } : null;
}
