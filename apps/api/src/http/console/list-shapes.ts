import type { Context } from "../../context.js";
import type { BrowsedPage } from "../../readers/list-totals.js";
import { wireTime } from "../shared/wire-time.js";
import { shapeMoney } from "./money.js";

/** A page of orders, refunds or payouts, with the totals of all pages. */
export const shapeList = async <Shape>(
  context: Context,
  { lookedTo, totals: { sums, ...totals }, ...places }: Omit<BrowsedPage<unknown>, "items">,
  items: Shape[],
) => ({
  ...places,
  items,
  looked_to: lookedTo && wireTime(lookedTo),
  totals: {
    ...totals,
    sums: await Promise.all(sums.map(({ amount, currency }) => shapeMoney(context, amount, currency))),
  },
});
