import { callOne, ledger, type Prisma } from "@tillgate/database";
import type pg from "pg";
import type { Context } from "../../context.js";
import type { Administrator, Change } from "./administrator.js";

export type Transaction = Prisma.TransactionClient;

/** How long one change may take, in milliseconds: the largest is an import of rates. */
const CHANGE_TIMEOUT_MS = 30_000;

/** Ends a rehearsal: the transaction rolls back. */
class Rehearsed extends Error {}

/**
 * Runs a change and its audit record in one transaction. A dry run does the same, with every check of the commit, and
 * rolls back: its answer is what would happen, and nothing is written.
 */
export async function change<Result>(
  { database: { prisma } }: Context,
  { dryRun }: Pick<Change, "dryRun">,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  let rehearsed: { result: Result } | undefined;
  try {
    return await prisma.$transaction(
      async (tx) => {
        const result = await work(tx);
        if (!dryRun) return result;
        await tx.$executeRaw`SET CONSTRAINTS ALL IMMEDIATE`;
        rehearsed = { result };
        throw new Rehearsed();
      },
      { timeout: CHANGE_TIMEOUT_MS },
    );
  } catch (error) {
    if (rehearsed && error instanceof Rehearsed) return rehearsed.result;
    throw error;
  }
}

/** The same for operations that take a connection instead of Prisma's transaction. */
export async function changeOnConnection<Result>(
  { database: { pool } }: Context,
  { dryRun }: Pick<Change, "dryRun">,
  work: (connection: Pick<pg.ClientBase, "query">) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("SET CONSTRAINTS ALL IMMEDIATE");
    await client.query(dryRun ? "ROLLBACK" : "COMMIT");
    client.release();
    return result;
  } catch (error) {
    // Closing the connection rolls back, whatever state it is in.
    client.release(true);
    throw error;
  }
}

/** Who administers is changed by one after the other: two at once would each count without the other. */
export const lockAdministrators = (tx: Transaction): Promise<unknown> =>
  tx.$executeRaw`LOCK TABLE console_users IN SHARE ROW EXCLUSIVE MODE`;

export type Recorded = {
  administrator: Administrator;
  /** Whose chain; null for what belongs to no merchant. */
  merchantId: string | null;
  /** Such as `merchant.suspend`. */
  action: string;
  /** The id of what was changed. */
  subject: string;
  /** What it was and became. Never a secret. */
  details?: Record<string, string | number | boolean | null>;
};

/** Writes the audit record of a change on the connection of its transaction. */
export async function recordOnConnection(
  connection: Pick<pg.ClientBase, "query">,
  { administrator, merchantId, action, subject, details = {} }: Recorded,
): Promise<void> {
  await callOne(connection, ledger.recordChange, {
    merchantId,
    administratorId: administrator.id,
    action,
    subject,
    details: JSON.stringify(details),
  });
}

/** Writes the audit record of a change, as the last step of its transaction. */
export async function recordChange(tx: Transaction, recorded: Recorded): Promise<void> {
  const { administrator, merchantId, action, subject, details = {} } = recorded;
  await tx.$queryRaw`SELECT record_change(${merchantId}::uuid, ${administrator.id}::uuid, ${action}, ${subject},
    ${JSON.stringify(details)}::json)::text`;
}
