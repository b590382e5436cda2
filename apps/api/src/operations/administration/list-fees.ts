import type { Mode } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { currencyOf } from "../../readers/currencies.js";
import type { Money } from "./money.js";

/** A merchant of null: the default schedule. */
export type ListedFee = { mode: Mode; merchant: string | null; fixed: Money; percent: string };

/** Payout fees of both modes: the defaults first, then those of single merchants. */
export async function listFees(context: Context): Promise<ListedFee[]> {
  const schedules = await context.database.prisma.feeSchedule.findMany({
    include: { merchant: { select: { name: true } } },
    orderBy: [{ mode: "asc" }, { merchantId: { sort: "asc", nulls: "first" } }, { currency: "asc" }],
  });
  return Promise.all(
    schedules.map(async ({ mode, merchant, fixed, percent, currency }) => ({
      mode,
      merchant: merchant?.name ?? null,
      fixed: { minor: fixed, currency: await currencyOf(context, currency) },
      percent: percent.toFixed(),
    })),
  );
}
