import { randomBytes } from "node:crypto";
import { parseWebAddress } from "@tillgate/contract";
import type { Router } from "express";
import { oneRow } from "../database/database.js";
import { type DeliveryParts, ping } from "../webhooks/deliver.js";
import { findWebhook, isTopic, type WebhookRow, webhookStatuses } from "../webhooks/webhook.js";
import { everyMethod, type RestLinks, restDate, restDateOrNull } from "./links.js";
import * as parameter from "./parameters.js";
import { RestError } from "./rest-error.js";
import { describeList, parametersOf, pathId, queryOf, route } from "./rest-request.js";

/** WooCommerce's own names for what sets a topic off. */
const hooks: Record<string, string[]> = {
  "order.created": ["woocommerce_new_order"],
  "order.updated": ["woocommerce_update_order", "woocommerce_order_refunded"],
  "order.deleted": ["wp_trash_post", "woocommerce_trash_order"],
  "order.restored": ["untrashed_post", "woocommerce_untrash_order"],
  "product.created": ["woocommerce_process_product_meta", "woocommerce_new_product"],
  "product.updated": ["woocommerce_process_product_meta", "woocommerce_update_product"],
  "product.deleted": ["wp_trash_post"],
};

const webhookView = (webhook: WebhookRow, links: RestLinks): Record<string, unknown> => {
  const [resource = "", event = ""] = webhook.topic.split(".");
  return {
    id: Number(webhook.id),
    name: webhook.name,
    status: webhook.status,
    topic: webhook.topic,
    resource,
    event,
    hooks: hooks[webhook.topic] ?? [],
    delivery_url: webhook.delivery_url,
    date_created: restDate(webhook.created_at),
    date_created_gmt: restDate(webhook.created_at),
    date_modified: restDateOrNull(webhook.modified_at),
    date_modified_gmt: restDateOrNull(webhook.modified_at),
    _links: { self: links.self(`webhooks/${webhook.id}`, everyMethod), collection: links.to("webhooks") },
  };
};

const writable = {
  name: parameter.text.optional(),
  status: parameter.oneOf(webhookStatuses).optional(),
  topic: parameter.text.optional(),
  secret: parameter.text.optional(),
  delivery_url: parameter.text.optional(),
};

const standardName = (): string => {
  const date = new Date();
  const day = date.toLocaleDateString("en-US", {
    month: "short",
    day: "2-digit",
    year: "numeric",
    timeZone: "UTC",
  });
  const time = date.toLocaleTimeString("en-US", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
  return `Webhook created on ${day} @ ${time}`;
};

function checkTopic(topic: string | undefined, sentence: string): string | undefined {
  if (topic === undefined) return undefined;
  if (isTopic(topic.toLowerCase())) return topic;
  throw new RestError("woocommerce_rest_shop_webhook_invalid_topic", sentence, 400);
}

function checkAddress(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  if (parseWebAddress(address) !== undefined) return address;
  const message = "Webhook delivery URL must be a valid URL starting with http:// or https://.";
  throw new RestError("woocommerce_rest_shop_webhook_invalid_delivery_url", message, 400);
}

const invalidId = (status: number): RestError =>
  new RestError("woocommerce_rest_shop_webhook_invalid_id", "ID is invalid.", status);

/** The routes of `/webhooks`. */
export function addWebhookRoutes(router: Router, parts: DeliveryParts): void {
  const { database, links } = parts;

  router.get(
    "/webhooks",
    route(async (request, response) => {
      const asked = parameter.readParameters(
        {
          ...parameter.collection,
          status: parameter.oneOf<WebhookRow["status"] | "all">(["all", ...webhookStatuses]).default("all"),
        },
        queryOf(request),
      );
      const condition = `($1 = 'all' OR status = $1) AND ($2::text IS NULL OR name ILIKE '%' || $2 || '%')`;
      const values = [asked.status, asked.search ?? null];
      const { total } = await oneRow<{ total: bigint }>(
        database,
        `SELECT count(*) AS total FROM webhook WHERE ${condition}`,
        values,
      );
      const direction = asked.order === "asc" ? "ASC" : "DESC";
      const { rows } = await database.query<WebhookRow>(
        `SELECT * FROM webhook WHERE ${condition} ORDER BY created_at ${direction}, id ${direction} LIMIT $3 OFFSET $4`,
        [...values, asked.per_page, asked.offset ?? (asked.page - 1) * asked.per_page],
      );
      describeList(request, response, links, {
        total: Number(total),
        page: asked.page,
        perPage: asked.per_page,
      });
      response.json(rows.map((webhook) => webhookView(webhook, links)));
    }),
  );

  router.post(
    "/webhooks",
    route(async (request, response) => {
      const given = parametersOf(request);
      const written = parameter.readParameters(writable, given, ["topic", "delivery_url"]);
      const topic = checkTopic(written.topic, "Webhook topic is required and must be valid.");
      const webhook = await oneRow<WebhookRow>(
        database,
        `INSERT INTO webhook (name, status, topic, delivery_url, secret, created_at)
         VALUES ($1, $2, $3, $4, $5, date_trunc('second', clock_timestamp())) RETURNING *`,
        [
          written.name || standardName(),
          // WooCommerce makes a webhook active or disabled; paused is for later.
          written.status === undefined || written.status === "active" ? "active" : "disabled",
          topic,
          checkAddress(written.delivery_url),
          written.secret || randomBytes(25).toString("hex"),
        ],
      );
      await ping(parts, webhook);
      response
        .status(201)
        .location(links.of(`webhooks/${webhook.id}`))
        .json(webhookView(webhook, links));
    }),
  );

  router.get(
    "/webhooks/:id",
    route(async (request, response) => {
      const webhook = await findWebhook(database, pathId(request, "id"));
      if (!webhook) throw invalidId(404);
      response.json(webhookView(webhook, links));
    }),
  );

  const update = route(async (request, response) => {
    const id = pathId(request, "id");
    const written = parameter.readParameters(writable, parametersOf(request));
    const before = await findWebhook(database, id);
    if (!before) throw invalidId(400);
    const address = checkAddress(written.delivery_url || undefined);
    const webhook = await oneRow<WebhookRow>(
      database,
      `UPDATE webhook SET name = coalesce($2, name), status = coalesce($3, status), topic = coalesce($4, topic),
          delivery_url = coalesce($5, delivery_url), secret = coalesce($6, secret),
          modified_at = date_trunc('second', clock_timestamp())
        WHERE id = $1 RETURNING *`,
      [
        id,
        written.name || null,
        written.status ?? null,
        checkTopic(written.topic || undefined, "Webhook topic must be valid.") ?? null,
        address ?? null,
        written.secret || null,
      ],
    );
    const moved = address !== undefined && address !== before.delivery_url;
    if (webhook.status === "active" && (moved || webhook.pending_ping)) await ping(parts, webhook);
    response.json(webhookView(webhook, links));
  });
  router.put("/webhooks/:id", update);
  router.patch("/webhooks/:id", update);
  router.post("/webhooks/:id", update);

  router.delete(
    "/webhooks/:id",
    route(async (request, response) => {
      const { force } = parameter.readParameters(
        { force: parameter.boolean.default(false) },
        parametersOf(request),
      );
      if (!force) {
        const message = "Webhooks do not support trashing.";
        throw new RestError("woocommerce_rest_trash_not_supported", message, 501);
      }
      const webhook = await findWebhook(database, pathId(request, "id"));
      if (!webhook) throw invalidId(404);
      await database.query("DELETE FROM webhook WHERE id = $1", [webhook.id]);
      response.json(webhookView(webhook, links));
    }),
  );
}
