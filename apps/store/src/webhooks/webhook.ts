import { createHmac } from "node:crypto";
import { firstRow, type Queryable } from "../database/database.js";

export interface WebhookRow {
  id: bigint;
  name: string;
  status: "active" | "paused" | "disabled";
  topic: string;
  delivery_url: string;
  secret: string;
  failure_count: number;
  pending_ping: boolean;
  created_at: Date;
  modified_at: Date | null;
}

export const webhookStatuses = ["active", "paused", "disabled"] as const;

/** Base64 of the HMAC-SHA256 of a body: what stands in `X-WC-Webhook-Signature`. */
export const webhookSignature = (body: string, secret: string): string =>
  createHmac("sha256", secret).update(body).digest("base64");

export const findWebhook = (queryable: Queryable, id: bigint): Promise<WebhookRow | undefined> =>
  firstRow<WebhookRow>(queryable, "SELECT * FROM webhook WHERE id = $1", [id]);

const resources = ["coupon", "customer", "order", "product"];
const events = ["created", "updated", "deleted", "restored"];

/** Whether WooCommerce takes a topic: a resource and an event, or an action of its own. */
export function isTopic(topic: string): boolean {
  if (topic.startsWith("action.woocommerce_") || topic.startsWith("action.wc_")) return true;
  const [resource = "", event = ""] = topic.split(".");
  return resources.includes(resource) && events.includes(event);
}
