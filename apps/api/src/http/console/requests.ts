import { type ConsoleRequest, consoleRequestsQuerySchema } from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { browseRequests, getRequest, type LoggedRequest } from "../../operations/requests/browse-requests.js";
import { succeed } from "../shared/answer.js";
import { parse } from "../shared/parse.js";
import { pathParameter } from "../shared/path-parameter.js";
import { serve } from "../shared/routes.js";
import { wireTime } from "../shared/wire-time.js";
import { allowedInModeOn } from "./caller.js";

const BASE = "/merchants/:merchant/:mode/requests";

const shapeRequest = (call: LoggedRequest): ConsoleRequest => ({
  entry_id: call.id,
  at: wireTime(call.at),
  dropped: call.dropped,
  request_id: call.requestId,
  method: call.method,
  path: call.path,
  status: call.status,
  error_code: call.errorCode,
  duration_ms: call.durationMs,
  credential_id: call.credentialId,
  client_id: call.clientId,
  client_address: call.clientAddress,
});

/** The log of a merchant's calls of the Pay and Partner API. */
export function serveRequests(router: Router, context: Context): void {
  const allowed = allowedInModeOn(context);

  serve(router, BASE, {
    get: [
      allowed("requests.view", async (access, request, response) => {
        const query = parse(consoleRequestsQuerySchema, request.query);
        const { items, ...places } = await browseRequests(context, access, query);
        succeed(response, "Requests retrieved", { items: items.map(shapeRequest), ...places });
      }),
    ],
  });

  serve(router, `${BASE}/:request`, {
    get: [
      allowed("requests.view", async (access, request, response) => {
        const call = await getRequest(context, access, pathParameter(request, "request"));
        const { mode, about, requestBody: request_body, answerBody: answer_body } = call;
        const detailed = { ...shapeRequest(call), mode, about, request_body, answer_body };
        succeed(response, "Request retrieved", detailed);
      }),
    ],
  });
}
