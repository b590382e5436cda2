import http, { type RequestListener, type Server, type ServerOptions } from "node:http";
import { CHECK_MS, DEFAULT_LIMITS, limitServer } from "../serve.js";

export type SiteLimits = {
  maxConnections: number;
  requestTimeoutMs: number;
  /** Sees every server of this process when it is made, before a framework does. */
  watch: (server: Server) => void;
};

/**
 * Limits the connections that browsers can hold open. Next makes its server itself and accepts only one of these limits. So
 * every server of this process gets them when it is made.
 */
export function limitServers({ maxConnections, requestTimeoutMs, watch }: SiteLimits): void {
  // Next sets this one itself, after the server is made.
  process.env.KEEP_ALIVE_TIMEOUT = String(DEFAULT_LIMITS.keepAliveMs);
  const create = http.createServer;
  const limited = (first?: ServerOptions | RequestListener, second?: RequestListener): Server => {
    const [options, listener] = typeof first === "function" ? [{}, first] : [first, second];
    const server = create({ ...options, connectionsCheckingInterval: CHECK_MS }, listener);
    limitServer(server, { maxConnections, requestMs: requestTimeoutMs });
    watch(server);
    return server;
  };
  Object.assign(http, { createServer: limited });
}
