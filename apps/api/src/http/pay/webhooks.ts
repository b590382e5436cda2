import {
  type EventList,
  listEventsQuerySchema,
  type Mode,
  testWebhookRequestSchema,
} from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { spendWebhookTest } from "../../credentials/request-limits.js";
import type { Listener } from "../../notifications/listener.js";
import { awaitEvents } from "../../operations/webhooks/await-events.js";
import type { EventPage } from "../../operations/webhooks/list-events.js";
import { testWebhook } from "../../operations/webhooks/test-webhook.js";
import { succeed } from "../shared/answer.js";
import { parse } from "../shared/parse.js";
import { applyAllowance } from "../shared/rate-limit.js";
import { serve } from "../shared/routes.js";
import { shapePlace } from "../shared/webhook-shapes.js";
import { wireTime } from "../shared/wire-time.js";
import { authenticate } from "./authenticate.js";

const shapeEvents = ({ events, next, hasMore }: EventPage): EventList => ({
  events: events.map(({ id, name, orderId, body, createdAt }) => ({
    id,
    event: name,
    created_at: wireTime(createdAt),
    order_id: orderId,
    body,
  })),
  next: shapePlace(next),
  has_more: hasMore,
});

/** `/webhooks/test` and `/events`. */
export function serveWebhooks(router: Router, context: Context, listener: Listener, mode: Mode): void {
  serve(router, "/webhooks/test", {
    post: [
      async (request, response) => {
        const client = await authenticate(context, mode, request, response);
        const fields = parse(testWebhookRequestSchema, request.body);
        applyAllowance(response, await spendWebhookTest(context, client));
        succeed(response, "Test event sent", await testWebhook(context, client, fields));
      },
    ],
  });

  serve(router, "/events", {
    get: [
      async (request, response) => {
        const client = await authenticate(context, mode, request, response);
        const query = parse(listEventsQuerySchema, request.query);
        const gone = new AbortController();
        response.on("close", () => gone.abort());
        const page = await awaitEvents(context, listener, client, { query, gone: gone.signal });
        if (!response.destroyed) succeed(response, "Events retrieved", shapeEvents(page));
      },
    ],
  });
}
