import type { Transaction } from "../database/database.js";

export type OrderTopic = "order.created" | "order.updated" | "order.deleted" | "order.restored";

/**
 * Writes down that the webhooks of a topic have something to deliver, in the transaction of the change. An order that
 * is still waiting to be delivered waits once: the body is made when it is sent.
 */
export async function announceOrder(
  transaction: Transaction,
  orderId: bigint,
  topic: OrderTopic,
): Promise<void> {
  await transaction.query(
    `INSERT INTO webhook_delivery (webhook_id, resource_id, created_at)
     SELECT id, $1, clock_timestamp() FROM webhook WHERE topic = $2 AND status = 'active' AND NOT pending_ping
     ON CONFLICT (webhook_id, resource_id) DO NOTHING`,
    [orderId, topic],
  );
}
