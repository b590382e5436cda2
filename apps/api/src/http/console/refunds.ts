import { consoleRefundsQuerySchema } from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { browseRefunds } from "../../operations/refunds/browse-refunds.js";
import { getRefund } from "../../operations/refunds/get-refund.js";
import { timelineOf } from "../../operations/timelines/timeline-of.js";
import { succeed } from "../shared/answer.js";
import { parse } from "../shared/parse.js";
import { pathParameter } from "../shared/path-parameter.js";
import { serve } from "../shared/routes.js";
import { allowedInModeOn } from "./caller.js";
import { shapeList } from "./list-shapes.js";
import { shapeRefund, shapeRefunds, shapeTimeline } from "./order-shapes.js";

const BASE = "/merchants/:merchant/:mode/refunds";

/** A merchant's refunds: list, page, timeline. */
export function serveRefunds(router: Router, context: Context): void {
  const allowed = allowedInModeOn(context);

  serve(router, BASE, {
    get: [
      allowed("payments.view", async (access, request, response) => {
        const query = parse(consoleRefundsQuerySchema, request.query);
        const page = await browseRefunds(context, access, { ...query, timeZone: access.timeZone });
        succeed(
          response,
          "Refunds retrieved",
          await shapeList(context, page, await shapeRefunds(context, page.items)),
        );
      }),
    ],
  });

  serve(router, `${BASE}/:refund`, {
    get: [
      allowed("payments.view", async (access, request, response) => {
        const refund = await getRefund(context, access, pathParameter(request, "refund"));
        succeed(response, "Refund retrieved", await shapeRefund(context, refund));
      }),
    ],
  });

  serve(router, `${BASE}/:refund/timeline`, {
    get: [
      allowed("payments.view", async (access, request, response) => {
        const { id: refundId } = await getRefund(context, access, pathParameter(request, "refund"));
        const timeline = await timelineOf(context, access, { refundId });
        succeed(response, "Timeline retrieved", await shapeTimeline(context, timeline));
      }),
    ],
  });
}
