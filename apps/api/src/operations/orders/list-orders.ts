import type { ListOrdersQuery } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { Client } from "../../credentials/authenticate-client.js";
import { inSnapshot } from "../../readers/in-snapshot.js";
import { type ReadList, readList } from "../../readers/read-list.js";
import { expireOrdersOf } from "./expire-order.js";

/**
 * One page of the merchant's orders of its mode, newest first, and how many there are on all pages. Orders whose time is
 * over become EXPIRED first, as when each is asked for; page, filter and total are then of one moment.
 * @throws OperationError InvalidFields for a cursor that is not of this list.
 */
export async function listOrders(
  context: Context,
  client: Client,
  query: ListOrdersQuery,
): Promise<ReadList<OrderModel>> {
  const { merchantId, mode } = client;
  await expireOrdersOf(context, client);
  return inSnapshot(context, (snapshot) =>
    readList(snapshot, { ...query, merchantId, mode, kind: "order" }, (ids) =>
      snapshot.order.findMany({ where: { id: { in: ids } } }),
    ),
  );
}
