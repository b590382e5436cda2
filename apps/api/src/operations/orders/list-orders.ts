import type { ListOrdersQuery } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { Client } from "../../credentials/authenticate-client.js";
import { findPage } from "../../readers/find-page.js";
import { inSnapshot } from "../../readers/in-snapshot.js";
import { expireOrdersOf } from "./expire-order.js";

/**
 * One page of the merchant's orders of its mode, newest first, and how many there are on all pages. Orders whose time is
 * over become EXPIRED first, as when each is asked for; page, filter and total are then of one moment.
 */
export async function listOrders(
  context: Context,
  client: Client,
  query: ListOrdersQuery,
): Promise<{ orders: OrderModel[]; total: number }> {
  const { merchantId, mode } = client;
  await expireOrdersOf(context, client);
  return inSnapshot(context, async (snapshot) => {
    const list = { ...query, merchantId, mode, kind: "order" as const };
    const { ids, total } = await findPage(snapshot, list);
    const orders = await snapshot.order.findMany({
      where: { id: { in: ids } },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    });
    return { orders, total };
  });
}
