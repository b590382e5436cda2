import { firstRowOf } from "@tillgate/service";
import { z } from "zod";
import type { Queryable } from "../database/database.js";

/** What webhooks can be told: changes, and orders that are put into the trash, which no list shows. */
export const topics = ["order.updated", "order.deleted"] as const;
export type Topic = (typeof topics)[number];

export const webhookStatuses = ["active", "paused", "disabled"] as const;

export const webhookSchema = z.object({
  id: z.bigint(),
  name: z.string(),
  status: z.enum(webhookStatuses),
  topic: z.enum(topics),
  delivery_url: z.string(),
  secret: z.string(),
  /** Deliveries that failed in a row. */
  failure_count: z.int(),
  created_at: z.date(),
});

export type WebhookRow = z.output<typeof webhookSchema>;

export const findWebhook = (queryable: Queryable, id: bigint): Promise<WebhookRow | undefined> =>
  firstRowOf(queryable, webhookSchema, "SELECT * FROM webhook WHERE id = $1", [id]);
