import {
  changeEndpointRequestSchema,
  createEndpointRequestSchema,
  listWebhookDeliveriesQuerySchema,
  type Mode,
  type Receiver,
  type ReceiverDelivery,
  type WebhookDelivery,
  type WebhookEndpoint,
} from "@tillgate/contract";
import type { Request, Router } from "express";
import type { Context } from "../../context.js";
import { getDelivery, listAllDeliveries, listDeliveries } from "../../events/deliveries/list.js";
import { resendDeliveryAs } from "../../events/deliveries/resend.js";
import {
  changeEndpoint,
  createEndpoint,
  ENDPOINT_STEPS,
  type EndpointStep,
  rotateEndpointSecret,
  setEndpointState,
} from "../../events/endpoints/change.js";
import { getEndpoint, listEndpoints } from "../../events/endpoints/read.js";
import { testEndpoint } from "../../events/test-event.js";
import { consumeWebhookTestLimit } from "../../identity/credentials/limits.js";
import { applyAllowance } from "../shared/admit.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { toAttempt, toDelivery, toReceiver } from "../shared/shapes.js";
import { withCaller } from "./authenticate.js";

/** Renames the ID for the API and omits the mode, which is in the path. */
const toEndpoint = ({ receiver_id, mode, ...endpoint }: Receiver): WebhookEndpoint => ({
  endpoint_id: receiver_id,
  ...endpoint,
});
const toApiDelivery = ({ receiver_id, ...delivery }: ReceiverDelivery): WebhookDelivery => ({
  ...delivery,
  endpoint_id: receiver_id,
});

const DONE: Record<EndpointStep, string> = {
  pause: "Endpoint paused",
  resume: "Endpoint resumed",
  enable: "Endpoint enabled",
  remove: "Endpoint removed",
};

export function serveWebhookEndpoints(router: Router, context: Context, mode: Mode): void {
  const authenticated = withCaller(context, mode);
  const ENDPOINTS = "/webhooks/endpoints";
  const ENDPOINT = `${ENDPOINTS}/:endpointId`;
  const readEndpointId = (request: Request): string => pathParameter(request, "endpointId");

  serve(router, ENDPOINTS, {
    get: authenticated(async (caller, _request, response) => {
      const receivers = await listEndpoints(context, caller);
      const endpoints = receivers.map((endpoint) => toEndpoint(toReceiver(endpoint)));
      succeed(response, "Endpoints retrieved", { endpoints });
    }),
    post: authenticated(async (caller, request, response) => {
      const fields = parse(createEndpointRequestSchema, request.body);
      const { endpoint, secret } = await createEndpoint(context, { ...caller, ...fields });
      succeed(response, "Endpoint created", { ...toEndpoint(toReceiver(endpoint)), secret });
    }),
  });

  serve(router, ENDPOINT, {
    get: authenticated(async (caller, request, response) => {
      const endpoint = await getEndpoint(context, caller, readEndpointId(request));
      succeed(response, "Endpoint retrieved", toEndpoint(toReceiver(endpoint)));
    }),
    post: authenticated(async (caller, request, response) => {
      const fields = parse(changeEndpointRequestSchema, request.body);
      const receiverId = readEndpointId(request);
      const { endpoint } = await changeEndpoint(context, { ...caller, ...fields, receiverId });
      succeed(response, "Endpoint changed", toEndpoint(toReceiver(endpoint)));
    }),
  });

  for (const step of ENDPOINT_STEPS)
    serve(router, `${ENDPOINT}/${step}`, {
      post: authenticated(async (caller, request, response) => {
        const receiverId = readEndpointId(request);
        const { endpoint } = await setEndpointState(context, { ...caller, receiverId, step });
        succeed(response, DONE[step], toEndpoint(toReceiver(endpoint)));
      }),
    });

  serve(router, `${ENDPOINT}/rotate-secret`, {
    post: authenticated(async (caller, request, response) => {
      const receiverId = readEndpointId(request);
      const { endpoint, secret } = await rotateEndpointSecret(context, { ...caller, receiverId });
      succeed(response, "Secret rotated", { ...toEndpoint(toReceiver(endpoint)), secret });
    }),
  });

  serve(router, `${ENDPOINT}/test`, {
    post: authenticated(async (caller, request, response) => {
      const { id } = await getEndpoint(context, caller, readEndpointId(request));
      applyAllowance(response, await consumeWebhookTestLimit(context, caller));
      succeed(response, "Test event sent", await testEndpoint(context, caller, id));
    }),
  });

  serveDeliveries(router, context, authenticated);
}

function serveDeliveries(
  router: Router,
  context: Context,
  authenticated: ReturnType<typeof withCaller>,
): void {
  const DELIVERIES = "/webhooks/deliveries";

  serve(router, DELIVERIES, {
    get: authenticated(async (caller, request, response) => {
      const query = parse(listWebhookDeliveriesQuerySchema, request.query);
      const { endpoint_id: receiverId, cursor: before, per_page, status } = query;
      const listQuery = { before, per_page, status, cursorField: "cursor" } as const;
      const { items, next } =
        receiverId === undefined
          ? await listAllDeliveries(context, caller, listQuery)
          : await listDeliveries(context, caller, { ...listQuery, receiverId });
      const deliveries = items.map((delivery) => toApiDelivery(toDelivery(delivery)));
      succeed(response, "Deliveries retrieved", { deliveries, next_cursor: next });
    }),
  });

  serve(router, `${DELIVERIES}/:deliveryId`, {
    get: authenticated(async (caller, request, response) => {
      const delivery = await getDelivery(context, caller, pathParameter(request, "deliveryId"));
      const history = delivery.attempts.map(toAttempt);
      succeed(response, "Delivery retrieved", { ...toApiDelivery(toDelivery(delivery)), history });
    }),
  });

  serve(router, `${DELIVERIES}/:deliveryId/resend`, {
    post: authenticated(async (caller, request, response) => {
      const { deliveryId, alreadyScheduled } = await resendDeliveryAs(context, {
        ...caller,
        deliveryId: pathParameter(request, "deliveryId"),
      });
      succeed(response, "Delivery sent again", {
        delivery_id: deliveryId,
        already_waiting: alreadyScheduled,
      });
    }),
  });
}
