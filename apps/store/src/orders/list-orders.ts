import { oneRow, type Queryable } from "../database/database.js";
import { type Order, type OrderRow, type OrderStatus, orderStatuses, withItems } from "./order.js";

export interface OrderQuery {
  /** Left out: every status but the trash. */
  statuses?: OrderStatus[];
  /** In the shopper's name, company, e-mail, the order's number or an item's name. */
  search?: string;
  include?: bigint[];
  exclude?: bigint[];
  /** Of one product. */
  product?: bigint;
  /** Made or changed strictly after or before. */
  after?: Date;
  before?: Date;
  modifiedAfter?: Date;
  modifiedBefore?: Date;
  orderBy: "date" | "id" | "include" | "title" | "slug" | "modified";
  direction: "asc" | "desc";
  page: number;
  perPage: number;
  offset?: number;
}

export interface OrderPage {
  orders: Order[];
  total: number;
}

const sortColumns = {
  date: "created_at",
  id: "id",
  include: "array_position($6::bigint[], id)",
  // Orders have no title or slug of their own: WooCommerce builds both from the date.
  title: "created_at",
  slug: "created_at",
  modified: "modified_at",
} as const;

/** Reads a page of orders and how many there are in all. */
export async function listOrders(queryable: Queryable, query: OrderQuery): Promise<OrderPage> {
  const search = query.search?.trim();
  const values = [
    query.statuses ?? orderStatuses,
    search ? `%${search.replace(/[\\%_]/g, "\\$&")}%` : null,
    query.after ?? null,
    query.before ?? null,
    query.modifiedAfter ?? null,
    query.include ?? null,
    query.modifiedBefore ?? null,
    query.exclude ?? null,
    query.product ?? null,
  ];
  const condition = `status = ANY($1)
    AND ($2::text IS NULL OR id::text ILIKE $2 OR concat_ws(' ', billing->>'first_name', billing->>'last_name',
         billing->>'company', billing->>'email', billing->>'phone', billing->>'address_1', billing->>'city') ILIKE $2
         OR EXISTS (SELECT FROM order_item WHERE order_id = shop_order.id AND name ILIKE $2))
    AND ($3::timestamptz IS NULL OR created_at > $3) AND ($4::timestamptz IS NULL OR created_at < $4)
    AND ($5::timestamptz IS NULL OR modified_at > $5) AND ($7::timestamptz IS NULL OR modified_at < $7)
    AND ($6::bigint[] IS NULL OR id = ANY($6)) AND ($8::bigint[] IS NULL OR id <> ALL($8))
    AND ($9::bigint IS NULL OR EXISTS (SELECT FROM order_item WHERE order_id = shop_order.id AND product_id = $9))`;
  const { total } = await oneRow<{ total: bigint }>(
    queryable,
    `SELECT count(*) AS total FROM shop_order WHERE ${condition}`,
    values,
  );
  const direction = query.direction === "asc" ? "ASC" : "DESC";
  const { rows } = await queryable.query<OrderRow>(
    `SELECT * FROM shop_order WHERE ${condition}
      ORDER BY ${sortColumns[query.orderBy]} ${direction}, id ${direction} LIMIT $10 OFFSET $11`,
    [...values, query.perPage, query.offset ?? (query.page - 1) * query.perPage],
  );
  return { orders: await withItems(queryable, rows), total: Number(total) };
}
