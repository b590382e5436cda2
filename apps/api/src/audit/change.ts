import { type AuditAction, ErrorCode } from "@tillgate/contract";
import { callOne, type LedgerFunction, ledger, type Prisma } from "@tillgate/database";
import { inTransaction } from "@tillgate/service";
import type pg from "pg";
import type { Context } from "../context.js";
import { errorWith, OperationError } from "../errors.js";
import { callLedger, withRetries } from "../ledger/call.js";
import { WalletClosedError } from "../ledger/errors.js";
import type { Administrator, ApiCall, Change } from "./administrator.js";

export type Transaction = Prisma.TransactionClient;

/** Time limit of a change. An import of rates takes longest. */
const CHANGE_TIMEOUT_MS = 30_000;

/** Thrown to roll back a dry run. */
class DryRunResult<Result> extends Error {
  constructor(readonly result: Result) {
    super();
  }
}

/** Returns the result. For a dry run, runs the checks deferred to the commit and throws {@link DryRunResult} instead. */
async function finishChange<Result>(
  { dryRun }: Pick<Change, "dryRun">,
  result: Result,
  check: () => PromiseLike<unknown>,
): Promise<Result> {
  if (!dryRun) return result;
  await check();
  throw new DryRunResult(result);
}

const toDryRunResult = (error: unknown) => {
  if (error instanceof DryRunResult) return error.result;
  throw error;
};

/** Runs a change and its audit record in one transaction. A dry run also runs the checks deferred to the commit, then rolls back. */
export const changeWithAudit = <Result>(
  { database: { prisma } }: Context,
  options: Pick<Change, "dryRun">,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> =>
  prisma
    .$transaction(
      async (tx) =>
        finishChange(options, await work(tx), () => tx.$executeRaw`SET CONSTRAINTS ALL IMMEDIATE`),
      { timeout: CHANGE_TIMEOUT_MS },
    )
    .catch(toDryRunResult);

/** Like {@link changeWithAudit}, for operations that take a connection instead of Prisma's transaction. */
export const changeWithAuditOnConnection = <Result>(
  { database: { pool } }: Pick<Context, "database">,
  options: Pick<Change, "dryRun">,
  work: (connection: Pick<pg.ClientBase, "query">) => Promise<Result>,
): Promise<Result> =>
  inTransaction(pool, async (connection) =>
    finishChange(options, await work(connection), () => connection.query("SET CONSTRAINTS ALL IMMEDIATE")),
  ).catch(toDryRunResult);

/** Serializes changes to administrators. Otherwise, concurrent transactions would each count the administrators without the other's change. */
export const lockAdministrators = (tx: Transaction): Promise<unknown> =>
  tx.$executeRaw`LOCK TABLE console_users IN SHARE ROW EXCLUSIVE MODE`;

/** An administrator, a console user, or a merchant's server identified by its client credential. */
export type Author = Administrator | ApiCall;

export type AuditRecord = {
  administrator: Author;
  /** The merchant whose audit chain the record belongs to; null for the platform's chain. */
  merchantId: string | null;
  action: AuditAction;
  /** ID, code or hash of the changed object. */
  subject: string;
  /** Details such as the values before and after; never a secret. */
  details?: Record<string, string | number | boolean | null>;
};

/** An audit record of a change by a console user. */
export type ChangeRecord = AuditRecord & { administrator: Administrator };

function toInsertStatement({ administrator: by, merchantId, action, subject, details = {} }: AuditRecord) {
  const record = { merchantId, action, subject, details: JSON.stringify(details) };
  if ("credentialId" in by) {
    const { sql, values } = ledger.recordCall;
    return { sql, values: values({ ...record, credentialId: by.credentialId }) };
  }
  const { sql, values } = ledger.recordChange;
  return { sql, values: values({ ...record, administratorId: by.id }) };
}

/** Like {@link recordChange}, for a `pg` connection instead of a Prisma transaction. */
export async function recordOnConnection(
  connection: Pick<pg.ClientBase, "query">,
  record: AuditRecord,
): Promise<void> {
  const { sql, values } = toInsertStatement(record);
  await connection.query(sql, values);
}

/** Like {@link recordOnConnection}, for several records. Their order in the audit chain is the order of the array. */
export async function recordAllOnConnection(
  connection: Pick<pg.ClientBase, "query">,
  records: readonly ChangeRecord[],
): Promise<void> {
  await connection.query(
    `SELECT record_change(r.merchant_id, r.administrator_id, r.action, r.subject, r.details)
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::json[])
       AS r (merchant_id, administrator_id, action, subject, details)`,
    [
      records.map(({ merchantId }) => merchantId),
      records.map(({ administrator }) => administrator.id),
      records.map(({ action }) => action),
      records.map(({ subject }) => subject),
      records.map(({ details }) => JSON.stringify(details ?? {})),
    ],
  );
}

/** Writes the audit record of a change. Must be called after all row locks are taken, because it locks the record's chain until the commit. */
export async function recordChange(tx: Transaction, record: AuditRecord): Promise<void> {
  const { sql, values } = toInsertStatement(record);
  await tx.$queryRawUnsafe(sql, ...values);
}

/**
 * Calls a SQL function that makes a change and also writes its audit record.
 * @param createArguments called for each attempt, so that a retry after an ID collision uses a new ID.
 * @throws OperationError if the function rejects the call; WalletClosed for a closed wallet.
 */
export async function callForAdministrator<Arguments extends Record<string, unknown>, Result>(
  context: Context,
  { dryRun }: Pick<Change, "dryRun">,
  ledgerFunction: LedgerFunction<Arguments, Result>,
  createArguments: () => Arguments,
): Promise<Result> {
  const runDry = () =>
    withRetries(context, () =>
      changeWithAuditOnConnection(context, { dryRun }, (connection) =>
        callOne(connection, ledgerFunction, createArguments()),
      ),
    );
  try {
    return await (dryRun ? runDry() : callLedger(context, ledgerFunction, createArguments));
  } catch (error) {
    throw error instanceof WalletClosedError ? new OperationError(ErrorCode.WalletClosed) : error;
  }
}

/**
 * Calls a SQL function that itself writes no audit record, and writes an audit record in the same transaction.
 * @param toRecord returns null if this call changed nothing.
 * @throws the errors of callLedger; OperationError NotAnAdministrator for a user whose role does not allow the action.
 */
export const callWithAudit = <Arguments extends Record<string, unknown>, Result>(
  context: Context,
  ledgerFunction: LedgerFunction<Arguments, Result>,
  createArguments: () => Arguments,
  toRecord: (result: Result) => AuditRecord | null,
): Promise<Result> => {
  return withRetries(context, () =>
    changeWithAuditOnConnection(context, {}, async (connection) => {
      const result = await callOne(connection, ledgerFunction, createArguments());
      const record = toRecord(result);
      if (record) await recordOnConnection(connection, record);
      return result;
    }),
  );
};

/** Returns whether an error is P2002, Prisma's error for a violated unique constraint. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "P2002";

/** @throws OperationError AlreadyExists with this message if `work` violates a unique constraint. */
export async function rejectDuplicate<Result>(message: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isDuplicate(error)) throw errorWith(ErrorCode.AlreadyExists, message);
    throw error;
  }
}
