import type { Transaction } from "../database/database.js";
import type { Topic } from "./webhook.js";

/**
 * Writes down that the webhooks of a topic have something to deliver, in the transaction of the change. What is still
 * waiting to be delivered waits once: the body is made when it is sent.
 */
export async function announce(transaction: Transaction, topic: Topic, orderId: bigint): Promise<void> {
  await transaction.query(
    `INSERT INTO webhook_delivery (webhook_id, resource_id, created_at)
     SELECT id, $2, clock_timestamp() FROM webhook WHERE topic = $1 AND status = 'active'
     ON CONFLICT (webhook_id, resource_id) DO NOTHING`,
    [topic, orderId],
  );
}
