import { createReplayRequestSchema, cursorPageSchema, previewReplayRequestSchema } from "@tillgate/contract";
import type { Request, Router } from "express";
import type { Context } from "../../context.js";
import {
  previewReplay,
  REPLAY_STEPS,
  resolveReplayRange,
  setReplayState,
  startReplay,
} from "../../events/replays/change.js";
import { listReplays } from "../../events/replays/read.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { toPreview, toReplay } from "../shared/shapes.js";
import { withRightInMode } from "./caller.js";

const BASE = "/merchants/:merchant/:mode";

export function serveReplays(router: Router, context: Context): void {
  const allowed = withRightInMode(context);
  const readEndpoint = (request: Request) => ({ endpoint_id: pathParameter(request, "receiver") });
  const REPLAYS = `${BASE}/receivers/:receiver/replays`;

  serve(router, `${REPLAYS}/preview`, {
    get: allowed("webhooks.view", async (access, request, response) => {
      const requested = parse(previewReplayRequestSchema, { ...request.query, ...readEndpoint(request) });
      const preview = await previewReplay(context, await resolveReplayRange(context, access, requested));
      succeed(response, "Replay previewed", toPreview(preview));
    }),
  });

  serve(router, REPLAYS, {
    get: allowed("webhooks.view", async (access, request, response) => {
      const page = parse(cursorPageSchema, request.query);
      const receiverId = readEndpoint(request).endpoint_id;
      const { items, next } = await listReplays(context, access, { ...page, receiverId });
      succeed(response, "Replays retrieved", { replays: items.map(toReplay), next_cursor: next });
    }),
    post: allowed("webhooks.resend", async (access, request, response) => {
      const fields: unknown = request.body;
      const body = typeof fields === "object" ? { ...fields, ...readEndpoint(request) } : fields;
      const { replay } = await startReplay(context, access, parse(createReplayRequestSchema, body));
      succeed(response, "Replay started", toReplay(replay));
    }),
  });

  for (const step of REPLAY_STEPS)
    serve(router, `${BASE}/replays/:replay/${step}`, {
      post: allowed("webhooks.resend", async (access, request, response) => {
        const replayId = pathParameter(request, "replay");
        succeed(response, "Done", toReplay(await setReplayState(context, { ...access, replayId, step })));
      }),
    });
}
