import { firstRow, type Queryable } from "../database/database.js";

/** What webhooks can be told: changes, and orders that are put into the trash, which no list shows. */
export const topics = ["order.updated", "order.deleted"] as const;
export type Topic = (typeof topics)[number];

export const webhookStatuses = ["active", "paused", "disabled"] as const;

export type WebhookRow = {
  id: bigint;
  name: string;
  status: (typeof webhookStatuses)[number];
  topic: Topic;
  delivery_url: string;
  secret: string;
  /** Deliveries that failed in a row. */
  failure_count: number;
  created_at: Date;
};

export const findWebhook = (queryable: Queryable, id: bigint): Promise<WebhookRow | undefined> =>
  firstRow<WebhookRow>(queryable, "SELECT * FROM webhook WHERE id = $1", [id]);
