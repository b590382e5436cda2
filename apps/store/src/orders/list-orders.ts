import { queryOneRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Queryable } from "../database/database.js";
import { type Order, orderSchema, withItems } from "./order.js";

export type OrderQuery = {
  include?: bigint[] | undefined;
  modifiedAfter?: Date | undefined;
  orderBy: "date" | "id" | "modified";
  direction: "asc" | "desc";
  page: number;
  perPage: number;
};

export type OrderPage = {
  orders: Order[];
  total: number;
};

const totalSchema = z.object({ total: z.bigint() });

const sortColumns = { date: "created_at", id: "id", modified: "modified_at" } as const;

/** Returns a page of the matching orders and the number of all matching orders. Trashed orders are excluded. */
export async function listOrders(queryable: Queryable, query: OrderQuery): Promise<OrderPage> {
  const values = [query.include ?? null, query.modifiedAfter ?? null];
  const condition = `status <> 'trash' AND ($1::bigint[] IS NULL OR id = ANY($1))
    AND ($2::timestamptz IS NULL OR modified_at > $2)`;
  const { total } = await queryOneRow(
    queryable,
    totalSchema,
    `SELECT count(*) AS total FROM shop_order WHERE ${condition}`,
    values,
  );
  const direction = query.direction === "asc" ? "ASC" : "DESC";
  const rows = await queryRows(
    queryable,
    orderSchema,
    `SELECT * FROM shop_order WHERE ${condition}
      ORDER BY ${sortColumns[query.orderBy]} ${direction}, id ${direction} LIMIT $3 OFFSET $4`,
    [...values, query.perPage, (query.page - 1) * query.perPage],
  );
  return { orders: await withItems(queryable, rows), total: Number(total) };
}
