import { type Queryable, queryRows } from "@tillgate/service";
import { z } from "zod";

/** For each time in $2: the entry number at which later entries of wallet $1 start, and the totals of all entries below this number. */
const TOTALS_AT = `
  SELECT bound.entry AS "beforeEntry", totals.* FROM unnest($2::timestamptz[]) WITH ORDINALITY AS asked (at, number)
  CROSS JOIN LATERAL first_entry_since($1, asked.at) AS bound (entry) CROSS JOIN LATERAL totals_before($1, bound.entry) AS totals
  ORDER BY asked.number`;

const totalsSchema = z.object({
  beforeEntry: z.bigint(),
  entries: z.bigint(),
  credits: z.bigint(),
  debits: z.bigint(),
  fees: z.bigint(),
});
/** Totals of a wallet's entries before an entry number, in minor units. The balance is credits − debits − fees. */
export type WalletTotals = z.output<typeof totalsSchema>;

export const balanceOf = ({ credits, debits, fees }: WalletTotals): bigint => credits - debits - fees;

/** Reads a wallet's totals at each of the given times, in one snapshot. */
export const readTotals = (
  queryable: Queryable,
  accountId: string,
  times: readonly (Date | string)[],
): Promise<WalletTotals[]> => queryRows(queryable, totalsSchema, TOTALS_AT, [accountId, times]);
