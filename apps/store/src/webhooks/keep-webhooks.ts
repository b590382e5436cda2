import type { Database } from "../database/database.js";
import { topics } from "./webhook.js";

export type ConnectorWebhook = {
  /** Where the connector takes the shop's webhooks. */
  deliveryUrl: string;
  secret: string;
};

/**
 * Keeps one active webhook for each topic of the connector, as its owner would have made them. What is there already gets the
 * secret of today and is switched on again.
 */
export async function keepWebhooks(
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
