import type { Prisma } from "@tillgate/database";
import type { Context } from "../context.js";

export type Snapshot = Prisma.TransactionClient;

/**
 * Runs queries in one snapshot, so that a total, its rows and their details are consistent. Waits for a connection as long as a statement may run,
 * instead of Prisma's default of two seconds.
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
