import { fieldErrors, optionalLocaleSchema } from "@tillgate/contract";
import express, { type Response, Router } from "express";
import { z } from "zod";
import { MAX_BODY_BYTES } from "../config.js";
import { ConnectorError } from "../connector-error.js";
import { sendError } from "./errors.js";
import { limitRequests, type RequestLimiter } from "./request-limit.js";
import type { Stores } from "./stores.js";

const orderKey = z
  .string({ error: ({ input }) => (input === undefined ? "is required" : "must be text") })
  .min(1, { error: "is required" })
  .max(255, { error: "must not be longer than 255 characters" });

const MAX_ORDER_ID = Number.MAX_SAFE_INTEGER;

const startSchema = z.object({
  order_id: z
    .int({ error: ({ input }) => (input === undefined ? "is required" : "must be a whole number") })
    .positive({ error: "must be greater than zero" }),
  order_key: orderKey,
  locale: optionalLocaleSchema,
});

const readSchema = z.object({ order_key: orderKey });

/** Both routes require the order key. */
export function paymentsRoutes(stores: Stores, limiter: RequestLimiter): Router {
  const router = Router();
  const base = "/v1/stores/:store/payments";
  const limitStart = limitRequests(limiter, ({ params, body }) => ({
    storeId: String(params.store),
    orderId: startSchema.shape.order_id.safeParse(body?.order_id).data ?? null,
  }));
  const limitRead = limitRequests(limiter, ({ params }) => ({
    storeId: String(params.store),
    orderId: parseOrderId(String(params.orderId)),
  }));

  router
    .route(base)
    .post(
      express.json({ limit: MAX_BODY_BYTES, type: "application/json" }),
      limitStart,
      async (request, response) => {
        const connector = stores.find(request.params.store);
        if (!request.is("application/json")) {
          sendError(response, { status: 415, code: "not_json", text: "The body must be application/json" });
          return;
        }
        const parsed = startSchema.safeParse(request.body);
        if (!parsed.success) return rejectRequest(response, parsed.error);
        const { order_id, order_key, locale } = parsed.data;
        response.json(
          await connector.startPayment({
            storeOrderId: order_id,
            orderKey: order_key,
            locale: locale ?? undefined,
          }),
        );
      },
    )
    .all((_request, response) => rejectMethod(response, "POST"));

  router
    .route(`${base}/:orderId`)
    .get(limitRead, async (request, response) => {
      const connector = stores.find(request.params.store);
      const parsed = readSchema.safeParse(request.query);
      if (!parsed.success) return rejectRequest(response, parsed.error);
      const orderId = parseOrderId(request.params.orderId);
      if (orderId === null) throw new ConnectorError("order_not_found", "Order not found");
      response.set("Cache-Control", "no-store");
      response.json(await connector.readPayment(orderId, parsed.data.order_key));
    })
    .all((_request, response) => rejectMethod(response, "GET, HEAD"));

  return router;
}

function parseOrderId(text: string): number | null {
  const orderId = Number(text);
  return /^[1-9]\d{0,15}$/.test(text) && orderId <= MAX_ORDER_ID ? orderId : null;
}

function rejectRequest(response: Response, error: z.ZodError): void {
  const fields = fieldErrors(error);
  const text = Object.values(fields).flat()[0] ?? "The request cannot be read";
  sendError(response, { status: 400, code: "invalid_fields", text }, fields);
}

export function rejectMethod(response: Response, allow: string): void {
  response.set("Allow", allow);
  sendError(response, { status: 405, code: "method_not_allowed", text: "Method not allowed" });
}
