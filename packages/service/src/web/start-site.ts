import http, { type IncomingMessage, type RequestListener, type Server, type ServerOptions } from "node:http";
import { onFirstSignal } from "../run.js";
import { CONNECTION_CHECK_INTERVAL_MS, DEFAULT_LIMITS, limitServer } from "../serve.js";
import { startRequestSpan, startTracing } from "../tracing.js";
import type { createLineLog } from "./line-log.js";

export type SiteLimits = {
  maxConnections: number;
  requestTimeoutMs: number;
  /** Called with every server of this process on creation, before the framework uses it. */
  watch: (server: Server) => void;
  wrap: (listener: RequestListener) => RequestListener;
};

/**
 * Limits the connections that browsers can hold open. Next creates its server itself and accepts only one of these limits, so every server of this
 * process gets the limits on creation.
 */
function limitServers({ maxConnections, requestTimeoutMs, watch, wrap }: SiteLimits): void {
  // Next sets this limit itself, after creating the server.
  process.env.KEEP_ALIVE_TIMEOUT = String(DEFAULT_LIMITS.keepAliveMs);
  const create = http.createServer;
  const createLimited = (first?: ServerOptions | RequestListener, second?: RequestListener): Server => {
    const [options, listener] = typeof first === "function" ? [{}, first] : [first, second];
    const server = create(
      { ...options, connectionsCheckingInterval: CONNECTION_CHECK_INTERVAL_MS },
      listener && wrap(listener),
    );
    limitServer(server, { maxConnections, requestMs: requestTimeoutMs });
    watch(server);
    return server;
  };
  Object.assign(http, { createServer: createLimited });
}

/**
 * Warns once of a proxy that is not configured, because all visitors would share its address. Checks the header before Next sees the request, because
 * Next adds the header itself.
 */
function warnOfProxy(server: Server, warn: () => void): void {
  const checkRequest = (request: { headers: NodeJS.Dict<string | string[]> }) => {
    if (request.headers["x-forwarded-for"] === undefined) return;
    server.off("request", checkRequest);
    warn();
  };
  server.prependListener("request", checkRequest);
}

export type SiteConfig = {
  host: string;
  port: number;
  maxConnections: number;
  requestTimeoutMs: number;
  trustedProxies: number;
  traceCollector?: string | undefined;
  traceSampleRatio: number;
};

export type SiteTraces = {
  service: string;
  /** Returns the `traceparent` that a request continues; undefined if it starts a trace, null if it is not traced. Never rejects. */
  parentOf(path: string): Promise<string | null | undefined>;
};

/** These paths are polled, including by browsers that send no `Sec-Fetch-Dest`. */
const POLLED = /^\/api\/(healthz$|orders\/[^/]+\/(status|events))/;

/** Returns whether a request is for a page or sends a form; false for scripts, styles, images, and the polling requests of scripts. */
const isPageOrForm = ({ method, headers, url = "" }: IncomingMessage): boolean =>
  method !== "GET" ||
  (["document", "iframe", undefined].includes(headers["sec-fetch-dest"]?.toString()) && !POLLED.test(url));

/** Replaces IDs and tokens in a path with `:id`. They are recognized by digits, capitals or more than 20 characters. */
const toRoute = (path: string): string =>
  path
    .split("/")
    .map((part) => (/^[a-z-]{0,20}$/.test(part) ? part : ":id"))
    .join("/");

const traceRequests =
  ({ parentOf }: SiteTraces) =>
  (listener: RequestListener): RequestListener =>
  async (request, response) => {
    const { method = "GET", url = "/" } = request;
    const [path = "/"] = url.split("?");
    const parent = isPageOrForm(request) ? await parentOf(path) : null;
    const span = parent === null ? undefined : startRequestSpan(parent);
    if (span === undefined) return listener(request, response);
    response.once("close", () => span.end({ method, route: toRoute(path), status: response.statusCode }));
    span.run(() => listener(request, response));
  };

const DEADLINE_MS = 4500;

/**
 * Starts a built Next server. The process exits at most 4.5 s after a stop signal.
 * @param hopsSetting name of the setting for the number of proxies.
 */
export async function startSite(
  config: SiteConfig,
  hopsSetting: string,
  { logWarning }: ReturnType<typeof createLineLog>,
  traces: SiteTraces,
): Promise<void> {
  // Containers set HOSTNAME to their ID, so HOST is used instead.
  process.env.HOSTNAME = config.host;
  process.env.PORT = String(config.port);
  // Next stops accepting connections and lets requests finish. A request that never ends must not block the exit.
  onFirstSignal(() => setTimeout(() => process.exit(0), DEADLINE_MS).unref());
  const { traceCollector: collector, traceSampleRatio: sampleRatio } = config;
  const tracing = await startTracing({ service: traces.service, collector, sampleRatio });
  onFirstSignal(() => void tracing.close());
  limitServers({
    ...config,
    wrap: collector === undefined ? (listener) => listener : traceRequests(traces),
    watch: (server) => {
      if (config.trustedProxies > 0) return;
      warnOfProxy(server, () =>
        logWarning(
          `A request had X-Forwarded-For, but ${hopsSetting} is 0. Set it to the number of proxies; otherwise all visitors behind a proxy share one address.`,
          {},
        ),
      );
    },
  });
  const server = "./next-server.js";
  await import(server);
}
