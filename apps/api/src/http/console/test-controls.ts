import { bringToEndRequestSchema, createTestControlRequestSchema } from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { bringToEnd } from "../../operations/sandbox/bring-to-end.js";
import {
  clearTestControls,
  createTestControl,
  listTestControls,
} from "../../operations/sandbox/test-controls.js";
import { succeed } from "../shared/answer.js";
import { parse } from "../shared/parse.js";
import { serve } from "../shared/routes.js";
import { shapeControl, shapeEnding } from "../shared/test-control-shapes.js";
import { allowedOn } from "./caller.js";

/** No mode in the path: live has no such route. */
const BASE = "/merchants/:merchant/sandbox/test";

/** Faults and time on order. What becomes of a payout that waits is decided by a credential only. */
export function serveTestControls(router: Router, context: Context): void {
  const allowed = allowedOn(context);

  serve(router, `${BASE}/controls`, {
    get: [
      allowed("controls.view", async ({ merchantId }, _request, response) => {
        const controls = await listTestControls(context, merchantId);
        succeed(response, "Test controls retrieved", { controls: controls.map(shapeControl) });
      }),
    ],
    post: [
      allowed("controls.change", async ({ merchantId }, request, response) => {
        const ordered = parse(createTestControlRequestSchema, request.body);
        const made = await createTestControl(context, merchantId, ordered);
        succeed(response, "Test control ordered", shapeControl(made));
      }),
    ],
  });

  serve(router, `${BASE}/controls/clear`, {
    post: [
      allowed("controls.change", async ({ merchantId }, _request, response) => {
        succeed(response, "Test controls cleared", { cleared: await clearTestControls(context, merchantId) });
      }),
    ],
  });

  serve(router, `${BASE}/time`, {
    post: [
      allowed("controls.change", async ({ merchantId }, request, response) => {
        const ending = parse(bringToEndRequestSchema, request.body);
        const endsAt = await bringToEnd(context, merchantId, ending);
        succeed(response, "Brought to its end", shapeEnding(ending, endsAt));
      }),
    ],
  });
}
