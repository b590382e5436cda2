import { Refusal } from "@tillgate/contract";
import type { Application, RequestHandler, Router } from "express";
import { OperationError } from "../../operation-error.js";
import { noteRoute } from "./trace.js";

type Method = "get" | "post";

/** Serves one path: the given methods, and 405 with `Allow` for all others. */
export function serve(
  router: Router | Application,
  path: string,
  handlers: Partial<Record<Method, RequestHandler[]>>,
): void {
  const route = router.route(path);
  route.all((request, response, next) => {
    noteRoute(response, `${request.baseUrl}${path}`);
    next();
  });
  const allowed: string[] = [];
  if (handlers.get) {
    route.get(...handlers.get);
    allowed.push("GET", "HEAD");
  }
  if (handlers.post) {
    route.post(...handlers.post);
    allowed.push("POST");
  }
  route.all(() => {
    throw new OperationError(Refusal.MethodNotAllowed, { allow: allowed.join(", ") });
  });
}

export const unknownRoute: RequestHandler = () => {
  throw new OperationError(Refusal.UnknownRoute);
};
