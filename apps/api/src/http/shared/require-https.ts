import { isLoopbackHost, Refusal } from "@tillgate/contract";
import type { RequestHandler } from "express";
import type { Config } from "../../config.js";
import { OperationError } from "../../operation-error.js";

/**
 * Refuses plain HTTP: in production always (a trusted proxy says what it received), elsewhere except on loopback and on the
 * configured hosts.
 */
export const requireHttps =
  ({ production, httpHosts }: Pick<Config, "production" | "httpHosts">): RequestHandler =>
  (request, _response, next) => {
    const host = (request.hostname ?? "").toLowerCase();
    if (request.secure || (!production && (isLoopbackHost(host) || httpHosts.includes(host)))) return next();
    throw new OperationError(Refusal.HttpsRequired);
  };
