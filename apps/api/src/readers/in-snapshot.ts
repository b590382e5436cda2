import type { Prisma } from "@tillgate/database";
import type { Context } from "../context.js";

/** The database as it was at one moment, for reading. */
export type Snapshot = Prisma.TransactionClient;

/**
 * Runs several reads over one snapshot, so that they cannot disagree: a total, the rows it counts, and what is shown of them.
 * A free connection is waited for as any other read waits for one; Prisma alone would give up after two seconds.
 */
export const inSnapshot = <Result>(
  { config, database: { prisma } }: Context,
  read: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> =>
  prisma.$transaction(read, {
    isolationLevel: "RepeatableRead",
    maxWait: config.statementTimeoutMs,
    timeout: config.statementTimeoutMs,
  });
