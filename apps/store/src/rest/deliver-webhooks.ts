import { createHmac, randomBytes } from "node:crypto";
import { queryFirstRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import { limits } from "../config.js";
import { findOrder } from "../orders/order.js";
import { listRefunds } from "../orders/refunds.js";
import { findWebhook, type WebhookRow, webhookSchema } from "../webhooks/webhook.js";
import { toOrderView, WOOCOMMERCE_VERSION } from "./order-view.js";
import type { RestContext } from "./rest-request.js";

const deliverySchema = z.object({ webhook_id: z.bigint(), resource_id: z.bigint() });

type DeliveryParts = Pick<RestContext, "database" | "storeUrl" | "logger">;

const userAgent = `WooCommerce/${WOOCOMMERCE_VERSION} Hookshot (WordPress/6.8.8)`;

/** Returns whether a status counts as delivered, as in WooCommerce: 2xx, 300, 301 and 302. */
const isDelivered = (status: number): boolean => status >= 200 && status < 303;

/** Sends a request to a webhook without following redirects. @returns the response status; 0 if there is no response */
async function send(
  { logger }: DeliveryParts,
  webhook: WebhookRow,
  headers: Record<string, string>,
  body: string,
): Promise<number> {
  try {
    const response = await fetch(webhook.delivery_url, {
      method: "POST",
      headers: { "User-Agent": userAgent, ...headers },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(limits.webhookTimeoutMs),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    logger.warn({ err: error, webhook: String(webhook.id) }, "a webhook request received no response");
    return 0;
  }
}

/** Pings a new webhook's URL with an unsigned form that contains the webhook's ID. */
export async function ping(parts: DeliveryParts, webhook: WebhookRow): Promise<void> {
  const type = "application/x-www-form-urlencoded";
  await send(parts, webhook, { "Content-Type": type }, `webhook_id=${webhook.id}`);
}

/** Loads the payload: only the ID for `order.deleted`, otherwise the order. @returns undefined if the order no longer exists */
async function loadPayload(
  { database, storeUrl }: DeliveryParts,
  { topic }: WebhookRow,
  id: bigint,
): Promise<unknown> {
  if (topic === "order.deleted") return { id: Number(id) };
  const order = await findOrder(database, id);
  return order && toOrderView(order, await listRefunds(database, [id]), storeUrl);
}

/** Sends a batch of deliveries, at most once each. As in WooCommerce, the seventh failure in a row disables a webhook. @returns the size of the batch */
export async function deliverWebhooks(parts: DeliveryParts): Promise<number> {
  const rows = await queryRows(
    parts.database,
    deliverySchema,
    `DELETE FROM webhook_delivery WHERE id IN
       (SELECT id FROM webhook_delivery ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING webhook_id, resource_id`,
    [limits.webhookBatch],
  );
  await Promise.all(rows.map((row) => deliver(parts, row.webhook_id, row.resource_id)));
  return rows.length;
}

async function deliver(parts: DeliveryParts, webhookId: bigint, orderId: bigint): Promise<void> {
  const webhook = await findWebhook(parts.database, webhookId);
  if (webhook?.status !== "active") return;
  const payload = await loadPayload(parts, webhook, orderId);
  if (payload === undefined) return;
  const body = JSON.stringify(payload);
  const [resource = "", event = ""] = webhook.topic.split(".");
  const status = await send(
    parts,
    webhook,
    {
      "Content-Type": "application/json",
      "X-WC-Webhook-Source": `${parts.storeUrl}/`,
      "X-WC-Webhook-Topic": webhook.topic,
      "X-WC-Webhook-Resource": resource,
      "X-WC-Webhook-Event": event,
      "X-WC-Webhook-Signature": createHmac("sha256", webhook.secret).update(body).digest("base64"),
      "X-WC-Webhook-ID": String(webhook.id),
      "X-WC-Webhook-Delivery-ID": randomBytes(16).toString("hex"),
    },
    body,
  );
  await recordOutcome(parts, webhook, isDelivered(status));
}

async function recordOutcome({ database, logger }: DeliveryParts, webhook: WebhookRow, succeeded: boolean) {
  if (succeeded) {
    await database.query("UPDATE webhook SET failure_count = 0 WHERE id = $1 AND failure_count > 0", [
      webhook.id,
    ]);
    return;
  }
  const recorded = await queryFirstRow(
    database,
    webhookSchema,
    `UPDATE webhook SET
        status = CASE WHEN failure_count > $2 THEN 'disabled' ELSE status END,
        failure_count = CASE WHEN failure_count > $2 THEN failure_count ELSE failure_count + 1 END
      WHERE id = $1 AND status = 'active' RETURNING *`,
    [webhook.id, limits.webhookFailures],
  );
  if (recorded?.status === "disabled") {
    logger.warn({ webhook: String(webhook.id) }, "a webhook was disabled after too many failures");
  }
}
