import type { Prisma } from "@tillgate/database";
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

/** Writes the audit record of a change, as the last step of its transaction. */
export async function recordChange(tx: Transaction, recorded: Recorded): Promise<void> {
  const { administrator, merchantId, action, subject, details = {} } = recorded;
  await tx.$queryRaw`SELECT record_change(${merchantId}::uuid, ${administrator.id}::uuid, ${action}, ${subject},
    ${JSON.stringify(details)}::json)::text`;
}
