import express, { Router } from "express";
import { MAX_BODY_BYTES, MAX_STORE_BODY_BYTES } from "../config.js";
import type { ConnectorLog } from "../connector-log.js";
import { sendError } from "./answers.js";
import { notAllowed } from "./payments-routes.js";
import type { Stores } from "./stores.js";

/**
 * Where the store's own webhook delivers: 200 once the look at its order is durable, 401 for a signature that is missing
 * or wrong. More than 5 failures in a row and WooCommerce switches the webhook off.
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
    .all((_request, response) => notAllowed(response, "POST"));
  return router;
}

/**
 * Where Tillgate delivers: 2xx once the effect is durable in the store, 401 for a signature that is missing, wrong or
 * stale, 404 for an order that is not this store's, 5xx for a failure of ours, so that it is sent again.
 */
export function webhookRoute(stores: Stores, log: ConnectorLog): Router {
  const router = Router();
  router
    .route("/v1/stores/:store/webhook")
    // The raw bytes: a signed body is verified before it is parsed, whatever its content type says.
    .post(express.raw({ limit: MAX_BODY_BYTES, type: () => true }), async (request, response) => {
      const connector = stores.find(request.params.store);
      const body: unknown = request.body;
      const outcome = await connector.receiveWebhook({
        headers: request.headers,
        body: body instanceof Uint8Array ? body : new Uint8Array(),
      });
      if (outcome.outcome === "refused") {
        log.warn({ store: connector.settings.storeId, reason: outcome.reason }, "A delivery was refused");
        const text = refusals[outcome.reason] ?? "The signature is refused";
        sendError(response, { status: 401, code: outcome.reason, text });
        return;
      }
      const orderStatus = "orderStatus" in outcome ? outcome.orderStatus : null;
      response.json({
        status: outcome.outcome,
        ...(orderStatus === null ? {} : { order_status: orderStatus }),
      });
    })
    .all((_request, response) => notAllowed(response, "POST"));
  return router;
}

const refusals: Record<string, string> = {
  missing_header: "The webhook headers are missing; the simple signature alone is not enough",
  stale: "The webhook's timestamp is too far from our time; check the clocks",
  foreign_secret: "The webhook is signed by a secret of another mode or client than its payment's",
  not_confirmed: "The webhook is signed by a retired secret, and the API does not say what it says",
  bad_signature: "The webhook's signature is wrong; check the client secret",
};
