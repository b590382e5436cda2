import { connectRequestSchema } from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { agreeToConnection } from "../../operations/connections/agree-to-connection.js";
import { listConnections } from "../../operations/connections/list-connections.js";
import { succeed } from "../shared/answer.js";
import { parse } from "../shared/parse.js";
import { serve } from "../shared/routes.js";
import { wireTime } from "../shared/wire-time.js";
import { allowedOn } from "./caller.js";

/** Shops that are connected by a link. They get credentials of both modes, so that the path names none. */
export function serveConnections(router: Router, context: Context): void {
  const allowed = allowedOn(context);
  serve(router, "/merchants/:merchant/connections", {
    get: [
      allowed("credentials.view", async ({ merchantId }, _request, response) => {
        const connections = await listConnections(context, merchantId);
        succeed(response, "Connections retrieved", {
          connections: connections.map(({ id, platform, shopName, shopOrigin, exchangedAt }) => ({
            connection_id: id,
            platform,
            shop_name: shopName,
            shop_origin: shopOrigin,
            connected_at: wireTime(exchangedAt),
          })),
        });
      }),
    ],
    post: [
      allowed("credentials.money", async (access, request, response) => {
        const return_to = await agreeToConnection(context, access, parse(connectRequestSchema, request.body));
        succeed(response, "Connection agreed to", { return_to });
      }),
    ],
  });
}
