import {
  backfillRequestSchema,
  changeReceiverRequestSchema,
  createReceiverRequestSchema,
  cursorPageSchema,
  listDeliveriesQuerySchema,
  missedEventsQuerySchema,
  resendRequestSchema,
} from "@tillgate/contract";
import type { EventModel, TimelineEntryModel } from "@tillgate/database";
import type { Request, Router } from "express";
import { z } from "zod";
import type { Context } from "../../context.js";
import { type BackfillCount, backfill, countBackfill } from "../../events/deliveries/backfill.js";
import {
  getDelivery,
  listAllDeliveries,
  listDeliveries,
  listTimeline,
} from "../../events/deliveries/list.js";
import { resendDeliveriesAs, resendDeliveryAs } from "../../events/deliveries/resend.js";
import {
  changeEndpoint,
  createEndpoint,
  ENDPOINT_STEPS,
  rotateEndpointSecret,
  setEndpointState,
} from "../../events/endpoints/change.js";
import { getEndpoint, listEndpoints } from "../../events/endpoints/read.js";
import { browseEvents, getEvent } from "../../events/feed.js";
import { dismissNotice, listNotices } from "../../events/notices.js";
import { findLikelyCause } from "../../events/outbox/likely-cause.js";
import { testEndpoint } from "../../events/test-event.js";
import { consumeWebhookTestLimit } from "../../identity/credentials/limits.js";
import { applyAllowance } from "../shared/admit.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { eventName, toAttempt, toDelivery, toReceiver, toTime, wireTime } from "../shared/shapes.js";
import { withRightInMode } from "./caller.js";

const toMissed = ({ neverSent, givenUp, first, last, more }: BackfillCount) => ({
  never_sent: neverSent,
  given_up: givenUp,
  first: toTime(first),
  last: toTime(last),
  more,
});

const toEvent = ({ id, name, orderId, createdAt, body }: EventModel) => ({
  id,
  event: eventName.parse(name),
  order_id: orderId,
  created_at: wireTime(createdAt),
  body,
});

/** The fields of a timeline entry that describe its last attempt. */
const failureSchema = z.object({
  error_kind: z.string().nullable().default(null),
  http_status: z.int().nullable().default(null),
});
const detailsSchema = z.record(z.string(), z.unknown());

const BASE = "/merchants/:merchant/:mode";

export function serveWebhooks(router: Router, context: Context): void {
  const allowed = withRightInMode(context);
  const readReceiverId = (request: Request): string => pathParameter(request, "receiver");
  const RECEIVER = `${BASE}/receivers/:receiver`;

  serve(router, `${BASE}/receivers`, {
    get: allowed("webhooks.view", async (access, _request, response) => {
      const receivers = await listEndpoints(context, access);
      succeed(response, "Endpoints retrieved", { receivers: receivers.map(toReceiver) });
    }),
    post: allowed("webhooks.change", async (access, request, response) => {
      const fields = parse(createReceiverRequestSchema, request.body);
      const { endpoint, secret } = await createEndpoint(context, { ...access, ...fields });
      succeed(response, "Endpoint created", { ...toReceiver(endpoint), secret });
    }),
  });

  serve(router, RECEIVER, {
    get: allowed("webhooks.view", async (access, request, response) => {
      const endpoint = await getEndpoint(context, access, readReceiverId(request));
      succeed(response, "Endpoint retrieved", toReceiver(endpoint));
    }),
    post: allowed("webhooks.change", async (access, request, response) => {
      const fields = parse(changeReceiverRequestSchema, request.body);
      const receiverId = readReceiverId(request);
      const { endpoint } = await changeEndpoint(context, { ...access, ...fields, receiverId });
      succeed(response, "Endpoint changed", toReceiver(endpoint));
    }),
  });

  for (const step of ENDPOINT_STEPS) {
    serve(router, `${RECEIVER}/${step}`, {
      post: allowed("webhooks.change", async (access, request, response) => {
        const receiverId = readReceiverId(request);
        const { endpoint } = await setEndpointState(context, { ...access, receiverId, step });
        succeed(response, "Done", toReceiver(endpoint));
      }),
    });
  }

  serve(router, `${RECEIVER}/rotate-secret`, {
    post: allowed("webhooks.secrets", async (access, request, response) => {
      const receiverId = readReceiverId(request);
      const { endpoint, secret } = await rotateEndpointSecret(context, { ...access, receiverId });
      succeed(response, "Secret rotated", { ...toReceiver(endpoint), secret });
    }),
  });

  serve(router, `${RECEIVER}/test`, {
    post: allowed("webhooks.change", async (access, request, response) => {
      const endpoint = await getEndpoint(context, access, readReceiverId(request));
      applyAllowance(response, await consumeWebhookTestLimit(context, access));
      succeed(response, "Test event sent", await testEndpoint(context, access, endpoint.id));
    }),
  });

  serve(router, `${RECEIVER}/deliveries`, {
    get: allowed("webhooks.view", async (access, request, response) => {
      const query = parse(listDeliveriesQuerySchema, request.query);
      const receiverId = readReceiverId(request);
      const { items, next } = await listDeliveries(context, access, { ...query, receiverId });
      succeed(response, "Deliveries retrieved", { deliveries: items.map(toDelivery), next });
    }),
  });

  serve(router, `${RECEIVER}/resend`, {
    post: allowed("webhooks.resend", async (access, request, response) => {
      const { as_of: asOf, ...range } = parse(resendRequestSchema, request.body);
      const receiverId = readReceiverId(request);
      succeed(response, "Done", await resendDeliveriesAs(context, { ...access, ...range, asOf, receiverId }));
    }),
  });

  serve(router, `${RECEIVER}/missed`, {
    get: allowed("webhooks.view", async (access, request, response) => {
      const range = parse(missedEventsQuerySchema, request.query);
      const receiverId = readReceiverId(request);
      const counts = await countBackfill(context, { ...access, ...range, receiverId });
      succeed(response, "Missed events counted", toMissed(counts));
    }),
  });

  serve(router, `${RECEIVER}/send-missed`, {
    post: allowed("webhooks.resend", async (access, request, response) => {
      const range = parse(backfillRequestSchema, request.body);
      const receiverId = readReceiverId(request);
      succeed(response, "Done", await backfill(context, { ...access, ...range, receiverId }));
    }),
  });

  serve(router, `${BASE}/resend`, {
    post: allowed("webhooks.resend", async (access, request, response) => {
      const { as_of: asOf, ...range } = parse(resendRequestSchema, request.body);
      succeed(response, "Done", await resendDeliveriesAs(context, { ...access, ...range, asOf }));
    }),
  });

  serve(router, `${BASE}/deliveries`, {
    get: allowed("webhooks.view", async (access, request, response) => {
      const { items, next } = await listAllDeliveries(
        context,
        access,
        parse(listDeliveriesQuerySchema, request.query),
      );
      succeed(response, "Deliveries retrieved", { deliveries: items.map(toDelivery), next });
    }),
  });

  serve(router, `${BASE}/deliveries/:delivery`, {
    get: allowed("webhooks.view", async (access, request, response) => {
      const delivery = await getDelivery(context, access, pathParameter(request, "delivery"));
      const history = delivery.attempts.map(toAttempt);
      succeed(response, "Delivery retrieved", { ...toDelivery(delivery), history });
    }),
  });

  serve(router, `${BASE}/deliveries/:delivery/resend`, {
    post: allowed("webhooks.resend", async (access, request, response) => {
      const { deliveryId, alreadyScheduled } = await resendDeliveryAs(context, {
        ...access,
        deliveryId: pathParameter(request, "delivery"),
      });
      succeed(response, "Done", { delivery_id: deliveryId, already_waiting: alreadyScheduled });
    }),
  });

  serve(router, `${BASE}/events`, {
    get: allowed("webhooks.view", async (access, request, response) => {
      const { items, next } = await browseEvents(context, access, parse(cursorPageSchema, request.query));
      succeed(response, "Events retrieved", { events: items.map(toEvent), next });
    }),
  });

  serve(router, `${BASE}/events/:event`, {
    get: allowed("webhooks.view", async (access, request, response) => {
      const { event, deliveries } = await getEvent(context, access, pathParameter(request, "event"));
      succeed(response, "Event retrieved", {
        ...toEvent(event),
        deliveries: deliveries.map(toDelivery),
      });
    }),
  });

  serve(router, `${BASE}/notices`, {
    get: allowed("webhooks.view", async (access, _request, response) => {
      const entries = await listNotices(context, access);
      succeed(response, "Notices retrieved", { notices: entries.map(toEntry) });
    }),
  });

  serve(router, `${BASE}/notices/:notice/dismiss`, {
    post: allowed("webhooks.change", async (access, request, response) => {
      const id = pathParameter(request, "notice");
      succeed(response, "Done", { dismissed: await dismissNotice(context, { ...access, id }) });
    }),
  });

  serve(router, `${BASE}/timeline`, {
    get: allowed("webhooks.view", async (access, request, response) => {
      const { items, next } = await listTimeline(context, access, parse(cursorPageSchema, request.query));
      succeed(response, "Timeline retrieved", { entries: items.map(toEntry), next });
    }),
  });
}

function toEntry({ id, kind, receiverId, details, createdAt }: TimelineEntryModel) {
  const { error_kind: errorKind, http_status: httpStatus } = failureSchema.parse(details);
  return {
    entry_id: String(id),
    kind,
    receiver_id: receiverId,
    details: detailsSchema.parse(details),
    likely_cause: findLikelyCause({ errorKind, httpStatus }),
    created_at: wireTime(createdAt),
  };
}
