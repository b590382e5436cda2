import { queryOneRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Queryable, Transaction } from "../database/database.js";
import { addNote } from "./notes.js";
import type { Order } from "./order.js";

const metaSchema = z.object({ id: z.int(), key: z.string(), value: z.string() });

const refundSchema = z.object({
  id: z.bigint(),
  order_id: z.bigint(),
  /** Minor units. */
  amount: z.bigint(),
  reason: z.string(),
  meta_data: z.array(metaSchema),
  created_at: z.date(),
});

export type MetaEntry = Omit<z.output<typeof metaSchema>, "id">;

export type Refund = z.output<typeof refundSchema>;

export const listRefunds = (queryable: Queryable, orderIds: bigint[]): Promise<Refund[]> =>
  queryRows(
    queryable,
    refundSchema,
    "SELECT * FROM order_refund WHERE order_id = ANY($1) ORDER BY created_at DESC, id DESC",
    [orderIds],
  );

/** Returns an order's amount not yet refunded, in minor units; negative if the order's total was reduced below its refunds. */
export async function computeRemainingAmount(queryable: Queryable, order: Order): Promise<bigint> {
  const refunds = await listRefunds(queryable, [order.id]);
  return refunds.reduce((rest, { amount }) => rest - amount, order.total);
}

export type NewRefund = {
  /** Minor units. */
  amount: bigint;
  reason: string;
  metaData?: MetaEntry[];
};

/** Records a refund without moving money. */
export const addRefund = (
  transaction: Transaction,
  order: Order,
  { amount, reason, metaData = [] }: NewRefund,
): Promise<Refund> =>
  queryOneRow(
    transaction,
    refundSchema,
    `INSERT INTO order_refund (order_id, amount, reason, meta_data, created_at)
     VALUES ($1, $2, $3,
        (SELECT coalesce(jsonb_agg(jsonb_build_object('id', nextval('meta_id')) || entry), '[]')
           FROM jsonb_array_elements($4::jsonb) AS entry),
        date_trunc('second', clock_timestamp())) RETURNING *`,
    [order.id, amount, reason, JSON.stringify(metaData)],
  );

/** Records a refund of the remaining amount, if any, without moving money, as WooCommerce does when an order is set to Refunded. */
export async function refundRemaining(transaction: Transaction, order: Order): Promise<void> {
  const amount = await computeRemainingAmount(transaction, order);
  if (amount <= 0n) return;
  await addRefund(transaction, order, { amount, reason: "Order fully refunded." });
  await addNote(transaction, {
    orderId: order.id,
    note: "Order status set to refunded. To return funds to the customer you will need to issue a refund through your payment gateway.",
  });
}

/** Updates the order's modification time, for clients that poll for changes. */
export async function touchOrder(transaction: Transaction, orderId: bigint): Promise<void> {
  await transaction.query(
    "UPDATE shop_order SET modified_at = date_trunc('second', clock_timestamp()) WHERE id = $1",
    [orderId],
  );
}

/** Deletes a refund. The order keeps its status, as in WooCommerce. */
export async function deleteRefund(transaction: Transaction, refund: Refund): Promise<void> {
  await transaction.query("DELETE FROM order_refund WHERE id = $1", [refund.id]);
  await touchOrder(transaction, refund.order_id);
}
