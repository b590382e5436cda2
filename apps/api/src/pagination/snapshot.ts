import type { Prisma } from "@tillgate/database";
import type { Context } from "../context.js";

/** The database as it was at one moment, for reading. */
export type Snapshot = Prisma.TransactionClient;

/**
 * Runs several reads over one snapshot, so that they cannot disagree: a total, its rows, and their details. It waits for a
 * free connection like any other read; Prisma alone would give up after two seconds.
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
