import {
  type ConsoleRequest,
  type ConsoleView,
  consoleRequestsQuerySchema,
  consoleSearchQuerySchema,
  consoleViewChangeSchema,
  consoleViewRequestSchema,
  consoleViewsQuerySchema,
} from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { browseRequests, getRequest, type LoggedRequest } from "../../reports/requests.js";
import { listViews, removeView, renameView, saveView, type ViewModel } from "../../reports/saved-views.js";
import { type SearchHit, search } from "../../reports/search.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { wireTime } from "../shared/shapes.js";
import { withRightInMode } from "./caller.js";
import { toMoney } from "./shapes.js";

const toHit = async (context: Context, { amount, currency, at, ...hit }: SearchHit) => ({
  ...hit,
  money: amount === null || currency === null ? null : await toMoney(context, amount, currency),
  at: wireTime(at),
});

export function serveSearch(router: Router, context: Context): void {
  const allowed = withRightInMode(context);

  serve(router, "/merchants/:merchant/:mode/search", {
    get: allowed("payments.view", async (access, request, response) => {
      const { q } = parse(consoleSearchQuerySchema, request.query);
      const { hits, more } = await search(context, access, q);
      succeed(response, "Found", {
        hits: await Promise.all(hits.map((hit) => toHit(context, hit))),
        more,
      });
    }),
  });
}

const REQUESTS = "/merchants/:merchant/:mode/requests";

const toRequest = (call: LoggedRequest): ConsoleRequest => ({
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

export function serveRequests(router: Router, context: Context): void {
  const allowed = withRightInMode(context);

  serve(router, REQUESTS, {
    get: allowed("requests.view", async (access, request, response) => {
      const query = parse(consoleRequestsQuerySchema, request.query);
      const { items, ...page } = await browseRequests(context, access, query);
      succeed(response, "Requests retrieved", { items: items.map(toRequest), ...page });
    }),
  });

  serve(router, `${REQUESTS}/:request`, {
    get: allowed("requests.view", async (access, request, response) => {
      const call = await getRequest(context, access, pathParameter(request, "request"));
      const { mode, about, requestBody: request_body, answerBody: answer_body } = call;
      const detailed = { ...toRequest(call), mode, about, request_body, answer_body };
      succeed(response, "Request retrieved", detailed);
    }),
  });
}

const VIEWS = "/merchants/:merchant/:mode/views";

const toView = ({ id, name, query }: ViewModel): ConsoleView => ({ view_id: id, name, query });

export function serveViews(router: Router, context: Context): void {
  const allowed = withRightInMode(context);

  serve(router, VIEWS, {
    get: allowed("payments.view", async (access, request, response) => {
      const { list } = parse(consoleViewsQuerySchema, request.query);
      const views = await listViews(context, access, list);
      succeed(response, "Views retrieved", { views: views.map(toView) });
    }),
    post: allowed("payments.view", async (access, request, response) => {
      const view = await saveView(context, access, parse(consoleViewRequestSchema, request.body));
      succeed(response, "View saved", { view: toView(view) });
    }),
  });

  serve(router, `${VIEWS}/:view`, {
    post: allowed("payments.view", async (access, request, response) => {
      const { name } = parse(consoleViewChangeSchema, request.body);
      const view = await renameView(context, access, { id: pathParameter(request, "view"), name });
      succeed(response, "View renamed", { view: toView(view) });
    }),
  });

  serve(router, `${VIEWS}/:view/remove`, {
    post: allowed("payments.view", async (access, request, response) => {
      await removeView(context, access, pathParameter(request, "view"));
      succeed(response, "View removed", {});
    }),
  });
}
