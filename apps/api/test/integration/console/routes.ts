import { CONSOLE_PATH } from "@tillgate/contract";
import { createApp } from "../../../src/http/app.js";
import { startListener } from "../../../src/platform/listener.js";
import type { ApiProcess } from "../../support/api-process.js";
import type { ApiResponse } from "../../support/requests.js";
import { servedRoutes } from "../documents/served-routes.js";
import { consoleClient } from "./console-client.js";

export type Route = { method: "get" | "post"; pattern: string; path: string };

export const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

/**
 * Lists the served routes of the console API. Their paths are in the merchant's sandbox and contain unknown
 * IDs.
 */
export async function listConsoleRoutes(
  server: ApiProcess & { databaseUrl: string },
  merchantId: string,
): Promise<Route[]> {
  const listener = startListener({ directUrl: server.databaseUrl, log: server.context.log });
  const app = createApp({ ...server, listener, apis: { open: false, internal: true } });
  await listener.close();
  return servedRoutes(app, [CONSOLE_PATH, "/checkout/v1"]).flatMap((route) => {
    const [method, path = ""] = route.split(" ");
    if (!path.startsWith(CONSOLE_PATH)) return [];
    const pattern = path.slice(CONSOLE_PATH.length);
    const filled = pattern.replace(":merchant", merchantId).replace(":mode", "sandbox");
    return [
      {
        method: method === "get" ? ("get" as const) : ("post" as const),
        pattern,
        path: filled.replace(/:\w+/g, UNKNOWN_ID),
      },
    ];
  });
}

export const callRoute = (
  server: ApiProcess,
  { method, path }: Pick<Route, "method" | "path">,
  token?: string,
): Promise<ApiResponse> => consoleClient(server, token)[method](path);
