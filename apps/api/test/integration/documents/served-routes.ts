import type { Express } from "express";
import { z } from "zod";

const routeSchema = z.object({ path: z.string(), methods: z.record(z.string(), z.boolean()) });

type Layer = { route?: unknown; handle?: unknown; match?: (path: string) => boolean };

/** Returns the layers of a router, or null for a handler. Express has no public list of routes. */
function layersOf(router: unknown): Layer[] | null {
  const stack: unknown = typeof router === "function" ? Reflect.get(router, "stack") : undefined;
  return Array.isArray(stack) ? stack : null;
}

/**
 * Lists the GET, POST and PUT routes of an application, each in the form `get /path/:id`.
 * @param basePaths mount paths of routers.
 * @throws Error for a router mounted elsewhere
 */
export function servedRoutes(app: Express, basePaths: readonly string[]): string[] {
  const routes = (layers: Layer[], base: string): string[] =>
    layers.flatMap((layer) => {
      if (layer.route) {
        const { path, methods } = routeSchema.parse(layer.route);
        return Object.keys(methods)
          .filter((method) => ["get", "post", "put"].includes(method))
          .map((method) => `${method} ${base}${path}`);
      }
      const inner = layersOf(layer.handle);
      if (!inner) return [];
      const mounted = basePaths.find((path) => layer.match?.(`${path}/`));
      if (mounted === undefined) throw new Error("a router is mounted at a path that is not in basePaths");
      return routes(inner, mounted);
    });
  return routes(layersOf(app.router) ?? [], "");
}
