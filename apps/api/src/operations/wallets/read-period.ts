import { MAX_PERIOD_ENTRIES } from "@tillgate/contract";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { exportStatement, type Period, type PeriodQuery } from "./export-statement.js";
import type { StatementEntry } from "./read-statement.js";

/**
 * A wallet's statement between two days as a whole, to be printed. It costs what an export of it costs, and takes its place.
 * @returns no entries where there are more than one statement holds.
 * @throws OperationError WalletNotFound, TooManyExports.
 */
export async function readPeriod(
  context: Context,
  scope: MerchantScope,
  query: PeriodQuery,
): Promise<Period & { entries: StatementEntry[] }> {
  let period: Period = { opening: 0n, closing: 0n, total: 0 };
  const entries: StatementEntry[] = [];
  await exportStatement(context, scope, query, {
    begin: (_total, found) => {
      period = found;
    },
    write: async (rows) => {
      if (period.total > MAX_PERIOD_ENTRIES) return false;
      entries.push(...rows);
      return true;
    },
  });
  return { ...period, entries };
}
