import type { ListPayoutsQuery } from "@tillgate/contract";
import type { PayoutModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { Partner } from "../../credentials/authenticate-partner.js";
import { inSnapshot } from "../../readers/in-snapshot.js";
import { type ReadList, readList } from "../../readers/read-list.js";

/**
 * One page of the merchant's payouts of its mode, newest first, and how many there are on all pages.
 * @throws OperationError InvalidFields for a cursor that is not of this list.
 */
export const listPayouts = (
  context: Context,
  { merchantId, mode }: Partner,
  query: ListPayoutsQuery,
): Promise<ReadList<PayoutModel>> =>
  inSnapshot(context, (snapshot) =>
    readList(snapshot, { ...query, merchantId, mode, kind: "payout" }, (ids) =>
      snapshot.payout.findMany({ where: { id: { in: ids } } }),
    ),
  );
