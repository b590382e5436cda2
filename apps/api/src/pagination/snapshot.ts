import type { Prisma } from "@tillgate/database";
import type { Context } from "../context.js";

/** A read-only snapshot of the database. */
export type Snapshot = Prisma.TransactionClient;

/**
 * Runs several reads in one snapshot, so that a total, its rows and their details are consistent. It waits for a free connection like any
 * other read; Prisma by default fails after two seconds.
 */
export const inSnapshot = <Result>(
  { config, database: { prisma } }: Context,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> =>
  prisma.$transaction(work, {
    isolationLevel: "RepeatableRead",
    maxWait: config.statementTimeoutMs,
    timeout: config.statementTimeoutMs,
  });
