import { randomBytes } from "node:crypto";
import { parseWebAddress } from "@tillgate/contract";
import { firstRowOf, oneRowOf, rowsOf } from "@tillgate/service";
import type { Router } from "express";
import { findWebhook, topics, type WebhookRow, webhookSchema, webhookStatuses } from "../webhooks/webhook.js";
import { ping } from "./deliver-webhooks.js";
import * as parameter from "./parameters.js";
import {
  parametersOf,
  pathId,
  type RestContext,
  RestError,
  restDate,
  route,
  setListHeaders,
} from "./rest-request.js";

const webhookView = (webhook: WebhookRow): Record<string, unknown> => {
  const [resource, event] = webhook.topic.split(".");
  return {
    id: Number(webhook.id),
    name: webhook.name,
    status: webhook.status,
    topic: webhook.topic,
    resource,
    event,
    delivery_url: webhook.delivery_url,
    date_created: restDate(webhook.created_at),
    date_created_gmt: restDate(webhook.created_at),
  };
};

/** Writable fields of an existing webhook. */
const writable = {
  status: parameter.oneOf(webhookStatuses).optional(),
  secret: parameter.text.optional(),
};

const webhookError = (what: string, message: string, status: number): RestError =>
  new RestError(`woocommerce_rest_shop_webhook_invalid_${what}`, message, status);

export function addWebhookRoutes(router: Router, context: RestContext): void {
  const { database, storeUrl } = context;

  router.get(
    "/webhooks",
    route(async (request, response) => {
      const { page, per_page: perPage } = parameter.readParameters(
        parameter.collection,
        parametersOf(request),
      );
      const rows = await rowsOf(database, webhookSchema, "SELECT * FROM webhook ORDER BY id DESC");
      setListHeaders(request, response, { storeUrl, total: rows.length, page, perPage });
      response.json(rows.slice((page - 1) * perPage, page * perPage).map(webhookView));
    }),
  );

  router.post(
    "/webhooks",
    route(async (request, response) => {
      const written = parameter.readParameters(
        {
          ...writable,
          name: parameter.text.default("Webhook"),
          topic: parameter.text,
          delivery_url: parameter.text,
        },
        parametersOf(request),
        ["topic", "delivery_url"],
      );
      if (!topics.some((topic) => topic === written.topic)) {
        throw webhookError("topic", "Webhook topic is required and must be valid.", 400);
      }
      if (parseWebAddress(written.delivery_url) === undefined) {
        const message = "Webhook delivery URL must be a valid URL starting with http:// or https://.";
        throw webhookError("delivery_url", message, 400);
      }
      const webhook = await oneRowOf(
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
      response.status(201).json(webhookView(webhook));
    }),
  );

  router.get(
    "/webhooks/:id",
    route(async (request, response) => {
      const webhook = await findWebhook(database, pathId(request, "id"));
      if (!webhook) throw webhookError("id", "ID is invalid.", 404);
      response.json(webhookView(webhook));
    }),
  );

  router.put(
    "/webhooks/:id",
    route(async (request, response) => {
      const { status, secret } = parameter.readParameters(writable, parametersOf(request));
      const webhook = await firstRowOf(
        database,
        webhookSchema,
        "UPDATE webhook SET status = coalesce($2, status), secret = coalesce($3, secret) WHERE id = $1 RETURNING *",
        [pathId(request, "id"), status, secret || undefined],
      );
      if (!webhook) throw webhookError("id", "ID is invalid.", 400);
      response.json(webhookView(webhook));
    }),
  );

  router.delete(
    "/webhooks/:id",
    route(async (request, response) => {
      const webhook = await firstRowOf(
        database,
        webhookSchema,
        "DELETE FROM webhook WHERE id = $1 RETURNING *",
        [pathId(request, "id")],
      );
      if (!webhook) throw webhookError("id", "ID is invalid.", 404);
      response.json(webhookView(webhook));
    }),
  );
}
