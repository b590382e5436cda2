import { randomBytes } from "node:crypto";
import { parseWebAddress } from "@tillgate/contract";
import { queryFirstRow, queryOneRow, queryRows } from "@tillgate/service";
import type { Router } from "express";
import { findWebhook, topics, type WebhookRow, webhookSchema, webhookStatuses } from "../webhooks/webhook.js";
import { ping } from "./deliver-webhooks.js";
import * as parameter from "./parameters.js";
import {
  formatRestDate,
  type RestContext,
  RestError,
  readParameters,
  readPathId,
  setListHeaders,
} from "./rest-request.js";

const toWebhookView = (webhook: WebhookRow): Record<string, unknown> => {
  const [resource, event] = webhook.topic.split(".");
  return {
    id: Number(webhook.id),
    name: webhook.name,
    status: webhook.status,
    topic: webhook.topic,
    resource,
    event,
    delivery_url: webhook.delivery_url,
    date_created: formatRestDate(webhook.created_at),
    date_created_gmt: formatRestDate(webhook.created_at),
  };
};

const writable = {
  status: parameter.oneOf(webhookStatuses).optional(),
  secret: parameter.text.optional(),
};

const webhookError = (errorName: string, message: string, status: number): RestError =>
  new RestError(`woocommerce_rest_shop_webhook_invalid_${errorName}`, message, status);

export function addWebhookRoutes(router: Router, context: RestContext): void {
  const { database, storeUrl } = context;

  router.get("/webhooks", async (request, response) => {
    const { page, per_page: perPage } = parameter.parseParameters(
      parameter.collection,
      readParameters(request),
    );
    const rows = await queryRows(database, webhookSchema, "SELECT * FROM webhook ORDER BY id DESC");
    setListHeaders(request, response, { storeUrl, total: rows.length, page, perPage });
    response.json(rows.slice((page - 1) * perPage, page * perPage).map(toWebhookView));
  });

  router.post("/webhooks", async (request, response) => {
    const written = parameter.parseParameters(
      {
        ...writable,
        name: parameter.text.default("Webhook"),
        topic: parameter.text,
        delivery_url: parameter.text,
      },
      readParameters(request),
      ["topic", "delivery_url"],
    );
    if (!topics.some((topic) => topic === written.topic)) {
      throw webhookError("topic", "Webhook topic is required and must be valid.", 400);
    }
    if (parseWebAddress(written.delivery_url) === undefined) {
      const message = "Webhook delivery URL must be a valid URL starting with http:// or https://.";
      throw webhookError("delivery_url", message, 400);
    }
    const webhook = await queryOneRow(
      database,
      webhookSchema,
      `INSERT INTO webhook (name, status, topic, delivery_url, secret, created_at)
         VALUES ($1, $2, $3, $4, $5, date_trunc('second', clock_timestamp())) RETURNING *`,
      [
        written.name,
        written.status ?? "active",
        written.topic,
        written.delivery_url,
        written.secret || randomBytes(25).toString("hex"),
      ],
    );
    await ping(context, webhook);
    response.status(201).json(toWebhookView(webhook));
  });

  router.get("/webhooks/:id", async (request, response) => {
    const webhook = await findWebhook(database, readPathId(request, "id"));
    if (!webhook) throw webhookError("id", "ID is invalid.", 404);
    response.json(toWebhookView(webhook));
  });

  router.put("/webhooks/:id", async (request, response) => {
    const { status, secret } = parameter.parseParameters(writable, readParameters(request));
    const webhook = await queryFirstRow(
      database,
      webhookSchema,
      "UPDATE webhook SET status = coalesce($2, status), secret = coalesce($3, secret) WHERE id = $1 RETURNING *",
      [readPathId(request, "id"), status, secret || undefined],
    );
    if (!webhook) throw webhookError("id", "ID is invalid.", 400);
    response.json(toWebhookView(webhook));
  });

  router.delete("/webhooks/:id", async (request, response) => {
    const webhook = await queryFirstRow(
      database,
      webhookSchema,
      "DELETE FROM webhook WHERE id = $1 RETURNING *",
      [readPathId(request, "id")],
    );
    if (!webhook) throw webhookError("id", "ID is invalid.", 404);
    response.json(toWebhookView(webhook));
  });
}
