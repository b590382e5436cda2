import {
  type ConsoleView,
  consoleViewChangeSchema,
  consoleViewRequestSchema,
  consoleViewsQuerySchema,
} from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import {
  listViews,
  removeView,
  renameView,
  saveView,
  type ViewModel,
} from "../../operations/views/saved-views.js";
import { succeed } from "../shared/answer.js";
import { parse } from "../shared/parse.js";
import { pathParameter } from "../shared/path-parameter.js";
import { serve } from "../shared/routes.js";
import { allowedInModeOn } from "./caller.js";

const BASE = "/merchants/:merchant/:mode/views";

const shapeView = ({ id, name, query }: ViewModel): ConsoleView => ({ view_id: id, name, query });

/** A user's own saved views of a merchant's lists. */
export function serveViews(router: Router, context: Context): void {
  const allowed = allowedInModeOn(context);

  serve(router, BASE, {
    get: [
      allowed("payments.view", async (access, request, response) => {
        const { list } = parse(consoleViewsQuerySchema, request.query);
        const views = await listViews(context, access, list);
        succeed(response, "Views retrieved", { views: views.map(shapeView) });
      }),
    ],
    post: [
      allowed("payments.view", async (access, request, response) => {
        const view = await saveView(context, access, parse(consoleViewRequestSchema, request.body));
        succeed(response, "View saved", { view: shapeView(view) });
      }),
    ],
  });

  serve(router, `${BASE}/:view`, {
    post: [
      allowed("payments.view", async (access, request, response) => {
        const { name } = parse(consoleViewChangeSchema, request.body);
        const view = await renameView(context, access, { id: pathParameter(request, "view"), name });
        succeed(response, "View renamed", { view: shapeView(view) });
      }),
    ],
  });

  serve(router, `${BASE}/:view/remove`, {
    post: [
      allowed("payments.view", async (access, request, response) => {
        await removeView(context, access, pathParameter(request, "view"));
        succeed(response, "View removed", {});
      }),
    ],
  });
}
