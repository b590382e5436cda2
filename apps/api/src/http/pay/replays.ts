import {
  createReplayRequestSchema,
  listReplaysQuerySchema,
  type Mode,
  previewReplayRequestSchema,
} from "@tillgate/contract";
import type { Request, RequestHandler, Response, Router } from "express";
import type { Context } from "../../context.js";
import { previewReplay, replayRangeOf } from "../../operations/webhooks/preview-replay.js";
import type { ReceiverChange } from "../../operations/webhooks/receiver.js";
import { getReplay, listReplays } from "../../operations/webhooks/replay.js";
import { REPLAY_STEPS, type ReplayStep, setReplayState } from "../../operations/webhooks/set-replay-state.js";
import { startReplay } from "../../operations/webhooks/start-replay.js";
import { succeed } from "../shared/answer.js";
import { parse, parseKeyed } from "../shared/parse.js";
import { pathParameter } from "../shared/path-parameter.js";
import { serve } from "../shared/routes.js";
import { requestIdOf } from "../shared/trace.js";
import { shapePreview, shapeReplay } from "../shared/webhook-shapes.js";
import { authenticate } from "./authenticate.js";

const DONE: Record<ReplayStep, string> = { cancel: "Replay cancelled", resume: "Replay resumed" };

/** `/webhooks/replays`: events of a range sent again, in order, for a merchant's programs. */
export function serveReplays(router: Router, context: Context, mode: Mode): void {
  const called = (
    work: (caller: Omit<ReceiverChange, "dryRun">, request: Request, response: Response) => Promise<void>,
  ): RequestHandler[] => [
    async (request, response) => {
      const { merchantId, credentialId } = await authenticate(context, mode, request, response);
      const by = { credentialId, requestId: requestIdOf(response) };
      await work({ merchantId, mode, by }, request, response);
    },
  ];
  const REPLAYS = "/webhooks/replays";
  const replayOf = (request: Request): string => pathParameter(request, "replayId");

  // Before the path with an id, which it looks like.
  serve(router, `${REPLAYS}/preview`, {
    post: called(async (caller, request, response) => {
      const asked = parse(previewReplayRequestSchema, request.body);
      const preview = await previewReplay(context, await replayRangeOf(context, caller, asked));
      succeed(response, "Replay previewed", shapePreview(preview));
    }),
  });

  serve(router, REPLAYS, {
    post: called(async (caller, request, response) => {
      const asked = await parseKeyed(createReplayRequestSchema, request);
      const { replay, replayed } = await startReplay(context, caller, asked);
      if (replayed) response.set("Idempotent-Replayed", "true");
      succeed(response, "Replay begun", shapeReplay(replay));
    }),
    get: called(async (caller, request, response) => {
      const { endpoint_id, cursor, per_page } = parse(listReplaysQuerySchema, request.query);
      const { items, next } = await listReplays(context, caller, {
        ...{ receiverId: endpoint_id, before: cursor, per_page, placeField: "cursor" },
      });
      succeed(response, "Replays retrieved", { replays: items.map(shapeReplay), next_cursor: next });
    }),
  });

  serve(router, `${REPLAYS}/:replayId`, {
    get: called(async (caller, request, response) => {
      succeed(response, "Replay retrieved", shapeReplay(await getReplay(context, caller, replayOf(request))));
    }),
  });

  for (const step of REPLAY_STEPS)
    serve(router, `${REPLAYS}/:replayId/${step}`, {
      post: called(async (caller, request, response) => {
        const replay = await setReplayState(context, { ...caller, replayId: replayOf(request), step });
        succeed(response, DONE[step], shapeReplay(replay));
      }),
    });
}
