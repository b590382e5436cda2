import type { Context } from "../context.js";
import type { Client } from "./authenticate-client.js";
import { type DayRange, daysWithin } from "./day-range.js";

/**
 * How many orders or refunds a merchant has, from the counts that every change keeps: no row is counted.
 * @param status one state, or undefined for all.
 */
export async function countRows(
  context: Context,
  client: Client,
  kind: "order" | "refund",
  filter: DayRange & { status?: string | undefined },
): Promise<number> {
  const { _sum } = await context.database.prisma.dayCount.aggregate({
    where: {
      merchantId: client.merchantId,
      mode: client.mode,
      kind,
      ...(filter.status ? { status: filter.status } : {}),
      day: daysWithin(filter),
    },
    _sum: { count: true },
  });
  return _sum.count ?? 0;
}
