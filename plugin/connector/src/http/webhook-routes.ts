import express, { Router } from "express";
import { MAX_BODY_BYTES, MAX_STORE_BODY_BYTES } from "../config.js";
import type { ConnectorLog } from "../connector-log.js";
import { sendError } from "./errors.js";
import { rejectMethod } from "./payments-routes.js";
import type { Stores } from "./stores.js";

/**
 * Responds with 200 once a check of the order is durably scheduled, or if no check is needed (including for WooCommerce's unsigned ping);
 * 401 for a rejected signature. WooCommerce disables a webhook after more than five consecutive failures.
 */
export function storeWebhookRoute(stores: Stores): Router {
  const router = Router();
  router
    .route("/v1/stores/:store/store-webhook")
    .post(express.raw({ limit: MAX_STORE_BODY_BYTES, type: () => true }), async (request, response) => {
      const connector = stores.find(request.params.store);
      const body: unknown = request.body;
      const outcome = await connector.receiveStoreWebhook({
        signature: request.get("X-WC-Webhook-Signature"),
        topic: request.get("X-WC-Webhook-Topic"),
        contentType: request.get("Content-Type"),
        body: body instanceof Uint8Array ? body : new Uint8Array(),
      });
      if (outcome === "refused") {
        const text = "The store webhook's signature is missing or wrong; check the webhook's secret";
        sendError(response, { status: 401, code: "bad_signature", text });
        return;
      }
      response.json({ status: outcome });
    })
    .all((_request, response) => rejectMethod(response, "POST"));
  return router;
}

/**
 * Responds with 200 once the effect is durable in the store, or if the event has none; 401 for a rejected signature or an event that the
 * API does not confirm; 404 for an unknown order; 5xx for a failure, so that Tillgate retries.
 */
export function webhookRoute(stores: Stores, log: ConnectorLog): Router {
  const router = Router();
  router
    .route("/v1/stores/:store/webhook")
    // Raw bytes regardless of the content type, because the signature is verified before the body is parsed.
    .post(express.raw({ limit: MAX_BODY_BYTES, type: () => true }), async (request, response) => {
      const connector = stores.find(request.params.store);
      const body: unknown = request.body;
      const outcome = await connector.receiveWebhook({
        headers: request.headers,
        body: body instanceof Uint8Array ? body : new Uint8Array(),
      });
      if (outcome.outcome === "refused") {
        log.warn({ store: connector.settings.storeId, reason: outcome.reason }, "Webhook rejected");
        const text = REJECTION_TEXTS[outcome.reason] ?? "The signature was rejected";
        sendError(response, { status: 401, code: outcome.reason, text });
        return;
      }
      const orderStatus = "orderStatus" in outcome ? outcome.orderStatus : null;
      response.json({
        status: outcome.outcome,
        ...(orderStatus === null ? {} : { order_status: orderStatus }),
      });
    })
    .all((_request, response) => rejectMethod(response, "POST"));
  return router;
}

const REJECTION_TEXTS: Record<string, string> = {
  missing_header:
    "The webhook-id, webhook-timestamp or webhook-signature header is missing; X-Tillgate-Signature alone is not enough",
  stale: "The webhook's timestamp is too old or in the future; check the clocks",
  foreign_secret: "The webhook is signed with the secret of another mode or client than its payment's",
  not_confirmed: "The webhook is signed with a retired secret, and the API did not confirm it",
  bad_signature: "The webhook's signature is wrong; check the client secret",
};
