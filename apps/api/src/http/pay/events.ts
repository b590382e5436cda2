import {
  createReplayRequestSchema,
  type EventList,
  listEventsQuerySchema,
  listReplaysQuerySchema,
  type Mode,
  previewReplayRequestSchema,
  testWebhookRequestSchema,
} from "@tillgate/contract";
import type { Request, Router } from "express";
import type { Context } from "../../context.js";
import { awaitEvents, type EventPage } from "../../events/feed.js";
import {
  previewReplay,
  REPLAY_STEPS,
  type ReplayStep,
  resolveReplayRange,
  setReplayState,
  startReplay,
} from "../../events/replays/change.js";
import { getReplay, listReplays } from "../../events/replays/read.js";
import { testAddress } from "../../events/test-event.js";
import { consumeWebhookTestLimit } from "../../identity/credentials/limits.js";
import type { Listener } from "../../platform/listener.js";
import { applyAllowance } from "../shared/admit.js";
import { parse, parseIdempotent, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { toPosition, toPreview, toReplay, wireTime } from "../shared/shapes.js";
import { withCaller, withClient } from "./authenticate.js";

const toEvents = ({ events, next, hasMore }: EventPage): EventList => ({
  events: events.map(({ id, name, orderId, body, createdAt }) => ({
    id,
    event: name,
    created_at: wireTime(createdAt),
    order_id: orderId,
    body,
  })),
  next: toPosition(next),
  has_more: hasMore,
});

export function serveWebhooks(router: Router, context: Context, listener: Listener, mode: Mode): void {
  const authenticated = withClient(context, mode);

  serve(router, "/webhooks/test", {
    post: authenticated(async (client, request, response) => {
      const fields = parse(testWebhookRequestSchema, request.body);
      applyAllowance(response, await consumeWebhookTestLimit(context, client));
      succeed(response, "Test event sent", await testAddress(context, client, fields));
    }),
  });

  serve(router, "/events", {
    get: authenticated(async (client, request, response) => {
      const query = parse(listEventsQuerySchema, request.query);
      const disconnected = new AbortController();
      response.on("close", () => disconnected.abort());
      const page = await awaitEvents(context, listener, client, {
        query,
        disconnected: disconnected.signal,
      });
      if (!response.destroyed) succeed(response, "Events retrieved", toEvents(page));
    }),
  });
}

const DONE: Record<ReplayStep, string> = { cancel: "Replay cancelled", resume: "Replay resumed" };

export function serveReplays(router: Router, context: Context, mode: Mode): void {
  const authenticated = withCaller(context, mode);
  const REPLAYS = "/webhooks/replays";
  const readReplayId = (request: Request): string => pathParameter(request, "replayId");

  // Registered before the path with an ID, because that path would match this one too.
  serve(router, `${REPLAYS}/preview`, {
    post: authenticated(async (caller, request, response) => {
      const requested = parse(previewReplayRequestSchema, request.body);
      const preview = await previewReplay(context, await resolveReplayRange(context, caller, requested));
      succeed(response, "Replay previewed", toPreview(preview));
    }),
  });

  serve(router, REPLAYS, {
    post: authenticated(async (caller, request, response) => {
      const requested = await parseIdempotent(createReplayRequestSchema, request);
      const { replay, replayed } = await startReplay(context, caller, requested);
      if (replayed) response.set("Idempotent-Replayed", "true");
      succeed(response, "Replay started", toReplay(replay));
    }),
    get: authenticated(async (caller, request, response) => {
      const { endpoint_id, cursor, per_page } = parse(listReplaysQuerySchema, request.query);
      const { items, next } = await listReplays(context, caller, {
        ...{ receiverId: endpoint_id, before: cursor, per_page, cursorField: "cursor" },
      });
      succeed(response, "Replays retrieved", { replays: items.map(toReplay), next_cursor: next });
    }),
  });

  serve(router, `${REPLAYS}/:replayId`, {
    get: authenticated(async (caller, request, response) => {
      succeed(
        response,
        "Replay retrieved",
        toReplay(await getReplay(context, caller, readReplayId(request))),
      );
    }),
  });

  for (const step of REPLAY_STEPS)
    serve(router, `${REPLAYS}/:replayId/${step}`, {
      post: authenticated(async (caller, request, response) => {
        const replay = await setReplayState(context, { ...caller, replayId: readReplayId(request), step });
        succeed(response, DONE[step], toReplay(replay));
      }),
    });
}
