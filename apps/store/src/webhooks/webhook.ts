import { queryFirstRow } from "@tillgate/service";
import { z } from "zod";
import type { Database, Queryable, Transaction } from "../database/database.js";

/** Webhook topics. Trashing an order sends `order.deleted`, because lists exclude trashed orders. */
export const topics = ["order.updated", "order.deleted"] as const;
type Topic = (typeof topics)[number];

export const webhookStatuses = ["active", "paused", "disabled"] as const;

export const webhookSchema = z.object({
  id: z.bigint(),
  name: z.string(),
  status: z.enum(webhookStatuses),
  topic: z.enum(topics),
  delivery_url: z.string(),
  secret: z.string(),
  /** Consecutive failed deliveries. */
  failure_count: z.int(),
  created_at: z.date(),
});

export type WebhookRow = z.output<typeof webhookSchema>;

export const findWebhook = (queryable: Queryable, id: bigint): Promise<WebhookRow | undefined> =>
  queryFirstRow(queryable, webhookSchema, "SELECT * FROM webhook WHERE id = $1", [id]);

/** Queues a delivery for each active webhook of the topic. A delivery already queued is reused, because its payload is built when it is sent. */
export async function queueDeliveries(
  transaction: Transaction,
  topic: Topic,
  orderId: bigint,
): Promise<void> {
  await transaction.query(
    `INSERT INTO webhook_delivery (webhook_id, resource_id, created_at)
     SELECT id, $2, clock_timestamp() FROM webhook WHERE topic = $1 AND status = 'active'
     ON CONFLICT (webhook_id, resource_id) DO NOTHING`,
    [topic, orderId],
  );
}

export type ConnectorWebhook = {
  deliveryUrl: string;
  secret: string;
};

/** Registers one active webhook of the connector per topic. An existing webhook gets the secret and is re-enabled. */
export async function registerConnectorWebhooks(
  database: Database,
  { deliveryUrl, secret }: ConnectorWebhook,
): Promise<void> {
  for (const topic of topics) {
    const { rowCount } = await database.query(
      `UPDATE webhook SET secret = $3, status = 'active', failure_count = 0
       WHERE id = (SELECT min(id) FROM webhook WHERE topic = $1 AND delivery_url = $2)`,
      [topic, deliveryUrl, secret],
    );
    if (rowCount === 0)
      await database.query(
        `INSERT INTO webhook (name, status, topic, delivery_url, secret, created_at)
         VALUES ($1, 'active', $2, $3, $4, date_trunc('second', clock_timestamp()))`,
        [`Tillgate connector: ${topic}`, topic, deliveryUrl, secret],
      );
  }
}
