import type { Application } from "express";
import type { Context } from "../context.js";
import { HttpError } from "./shared/http-error.js";
import { serve } from "./shared/routes.js";

/** `/healthz`: the process serves. `/readyz`: it also reaches its database. */
export function serveHealth(app: Application, { database, log }: Context): void {
  serve(app, "/healthz", {
    get: [
      (_request, response) => {
        response.json({ status: "ok" });
      },
    ],
  });
  serve(app, "/readyz", {
    get: [
      async (_request, response) => {
        try {
          await database.pool.query("SELECT 1");
        } catch (error) {
          log.warn({ err: error }, "the database does not answer");
          throw new HttpError(503, "The database does not answer", { "Retry-After": "5" });
        }
        response.json({ status: "ok" });
      },
    ],
  });
}
