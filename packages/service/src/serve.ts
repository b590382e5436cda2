import cluster from "node:cluster";
import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from "node:http";

/** Idle connections are kept open longer than load balancers keep them (usually 60 s), so that none is closed while a request is on its way. */
export type ServerLimits = {
  /** Limit of an idle connection. */
  keepAliveMs: number;
  /** Limit for receiving a request. */
  requestMs: number;
  /** Limit for receiving a request's headers. Default: half of `requestMs`. */
  headersMs: number;
  maxHeaders: number;
  /** Further connections are closed immediately. */
  maxConnections: number;
};

export const DEFAULT_LIMITS: Omit<ServerLimits, "headersMs"> = {
  keepAliveMs: 65_000,
  requestMs: 30_000,
  maxHeaders: 2_000,
  maxConnections: 10_000,
};
/** With Node's default of 30 s, a limit could take effect 30 s late. */
export const CONNECTION_CHECK_INTERVAL_MS = 1_000;
/** Interval for closing idle connections at shutdown. */
const IDLE_CHECK_INTERVAL_MS = 50;

export type Serving = {
  port: number;
  /** Adds `Connection: close` to responses. Requests are still accepted. */
  drain(): void;
  /**
   * Stops accepting connections, ends event streams, and waits for accepted requests to finish. Requests that run longer than `limitMs` are aborted.
   */
  close(limitMs: number): Promise<void>;
};

export function limitServer(server: Server, limits: Partial<ServerLimits> = {}): void {
  const { keepAliveMs, requestMs, headersMs, maxHeaders, maxConnections } = {
    headersMs: (limits.requestMs ?? DEFAULT_LIMITS.requestMs) / 2,
    ...DEFAULT_LIMITS,
    ...limits,
  };
  server.keepAliveTimeout = keepAliveMs;
  server.headersTimeout = headersMs;
  server.requestTimeout = requestMs;
  server.maxHeadersCount = maxHeaders;
  if (cluster.isWorker) closeAbove(server, maxConnections);
  else server.maxConnections = maxConnections;
}

/** Closes connections above the maximum. In a cluster worker, Node's own limit does not close them but repeatedly offers them to other workers. */
function closeAbove(server: Server, maxConnections: number): void {
  let open = 0;
  server.on("connection", (socket) => {
    open += 1;
    socket.once("close", () => {
      open -= 1;
    });
    if (open > maxConnections) socket.destroy();
  });
}

/** Creates a server with these limits, without starting to listen. */
export function createLimitedServer(
  application: RequestListener,
  limits: Partial<ServerLimits> = {},
  /** Whether Node rejects a request without `Host` with an empty 400. */
  { requireHostHeader = true }: { requireHostHeader?: boolean } = {},
): Server {
  const server = createServer(
    {
      connectionsCheckingInterval: CONNECTION_CHECK_INTERVAL_MS,
      requireHostHeader,
      ...(hasPrototypes(application) && createMessageClasses(application)),
    },
    application,
  );
  limitServer(server, limits);
  return server;
}

/** Express replaces the prototypes of its messages. */
type WithPrototypes = RequestListener & { request: object; response: object };

const hasPrototypes = (application: RequestListener): application is WithPrototypes =>
  "request" in application && "response" in application;

/**
 * Creates message classes whose instances have the application's prototypes from the start. Express would set the prototypes later, and an object
 * whose prototype changed stays slow, including in Node's code: this was two thirds of the cost of a short request.
 */
function createMessageClasses(application: WithPrototypes) {
  class Request extends IncomingMessage {}
  class Response<Message extends IncomingMessage> extends ServerResponse<Message> {}
  Object.setPrototypeOf(Request.prototype, application.request);
  Object.setPrototypeOf(Response.prototype, application.response);
  application.request = Request.prototype;
  application.response = Response.prototype;
  return { IncomingMessage: Request, ServerResponse: Response };
}

/** @throws the system's error if the address is unavailable. */
export async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<Serving> {
  const open = trackResponses(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    drain: open.closeConnections,
    async close(limitMs) {
      open.closeConnections();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      open.endStreams();
      // A response that had already started has no `Connection: close`, so its connection becomes idle when the response ends.
      const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS);
      const abortTimer = setTimeout(() => server.closeAllConnections(), limitMs);
      await closed;
      clearInterval(idleCheck);
      clearTimeout(abortTimer);
    },
  };
}

function trackResponses(server: Server): { closeConnections(): void; endStreams(): void } {
  const open = new Set<ServerResponse>();
  let closing = false;
  const setCloseHeader = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader("Connection", "close");
  };
  server.prependListener("request", (_request, response) => {
    open.add(response);
    response.once("close", () => open.delete(response));
    if (closing) setCloseHeader(response);
  });
  return {
    closeConnections() {
      closing = true;
      for (const response of open) setCloseHeader(response);
    },
    endStreams() {
      for (const response of open) if (isEventStream(response)) response.end();
    },
  };
}

const isEventStream = (response: ServerResponse): boolean =>
  response.headersSent && String(response.getHeader("content-type")).startsWith("text/event-stream");
