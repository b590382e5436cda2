import type { Mode } from "@tillgate/contract";
import { rateAfterSpread } from "@tillgate/money";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";

/** The most rates that one list shows. */
const MAX_LISTED = 1_000;

const rateSchema = z.object({
  base: z.string(),
  quote: z.string(),
  /** Units of `quote` for one of `base`, before the spread. */
  rate: z.string(),
  spreadPercent: z.string(),
  effectiveFrom: z.date(),
  standing: z.enum(["in effect", "future", "past"]),
});

/** `rateAfterSpread`: what conversions use. */
export type ListedRate = z.output<typeof rateSchema> & { rateAfterSpread: string };

/** Exchange rates of a mode: those in effect and those to come, by the database's clock; with `past`, the older ones too. */
export async function listRates(
  { database: { prisma } }: Context,
  { mode, past = false }: { mode: Mode; past?: boolean | undefined },
): Promise<ListedRate[]> {
  const rows = await prisma.$queryRaw<unknown[]>`
    SELECT base, quote, trim_scale(rate)::text AS rate, trim_scale(spread_percent)::text AS "spreadPercent",
      effective_from AS "effectiveFrom", standing
    FROM (SELECT r.*, CASE WHEN future THEN 'future'
          WHEN row_number() OVER (PARTITION BY base, quote, future ORDER BY effective_from DESC, created_at DESC) = 1 THEN 'in effect'
          ELSE 'past' END AS standing
        FROM (SELECT *, effective_from > clock_timestamp() AS future FROM exchange_rates WHERE mode = ${mode}::mode) AS r) AS placed
    WHERE ${past} OR standing <> 'past'
    ORDER BY base, quote, effective_from DESC, created_at DESC LIMIT ${MAX_LISTED}`;
  return parseRows(rateSchema, rows).map((row) => ({
    ...row,
    rateAfterSpread: rateAfterSpread(row.rate, row.spreadPercent),
  }));
}
