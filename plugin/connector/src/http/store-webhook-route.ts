import express, { Router } from "express";
import { MAX_STORE_BODY_BYTES } from "../config.js";
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
