import type { Prisma } from "@tillgate/database";
import type { Context } from "../context.js";

/** The database as it was at one moment, for reading. */
export type Snapshot = Prisma.TransactionClient;

/**
 * Runs several reads over one snapshot, so that they cannot disagree: a total, the rows it counts, and what is shown of them.
 */
export const inSnapshot = <Result>(
  { database: { prisma } }: Context,
  read: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> => prisma.$transaction(read, { isolationLevel: "RepeatableRead" });
