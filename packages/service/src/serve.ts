import cluster from "node:cluster";
import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from "node:http";

/**
 * The limits of one server. It keeps connections longer than balancers do (60 s is the usual), so that it never closes one
 * while a request is on its way.
 */
export type ServerLimits = {
  /** How long an idle connection is kept, in milliseconds. */
  keepAliveMs: number;
  /** How long a request may take to arrive, in milliseconds. */
  requestMs: number;
  /** How long its headers may take, in milliseconds. Default: half of that. */
  headersMs: number;
  /** Headers of one request. */
  maxHeaders: number;
  /** Connections at the same time; one more is closed at once. */
  maxConnections: number;
};

export const DEFAULT_LIMITS: Omit<ServerLimits, "headersMs"> = {
  keepAliveMs: 65_000,
  requestMs: 30_000,
  maxHeaders: 2_000,
  maxConnections: 10_000,
};
/** How often Node looks for requests that take too long, in milliseconds: its own 30 s would double most limits. */
export const CONNECTION_CHECK_INTERVAL_MS = 1_000;
/** How often connections that became idle are looked for at the end, in milliseconds. */
const IDLE_LOOK_MS = 50;

/** A server that is open, and how it is ended. */
export type Serving = {
  /** The port that it listens on. */
  port: number;
  /** From now on every answer asks its client to open another connection. Requests are still accepted. */
  drain(): void;
  /**
   * Stops accepting, ends event streams, and waits until every accepted request is answered.
   * @param limitMs requests that run longer are cut off.
   */
  close(limitMs: number): Promise<void>;
};

/** Sets the limits of a server, also of one that a framework opens. */
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

/** In a forked process Node's own limit closes no connection: it is offered to all processes again and again. */
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

/** Makes a server with limits, which does not listen yet. */
export function createLimitedServer(
  application: RequestListener,
  limits: Partial<ServerLimits> = {},
  /** Whether Node itself answers a request without `Host`, with an empty 400; false: the application does. */
  { requireHostHeader = true }: { requireHostHeader?: boolean } = {},
): Server {
  const server = createServer(
    {
      connectionsCheckingInterval: CONNECTION_CHECK_INTERVAL_MS,
      requireHostHeader,
      ...(hasPrototypes(application) && messagesOf(application)),
    },
    application,
  );
  limitServer(server, limits);
  return server;
}

/** An application that gives its messages prototypes of its own, as Express does. */
type WithPrototypes = RequestListener & { request: object; response: object };

const hasPrototypes = (application: RequestListener): application is WithPrototypes =>
  "request" in application && "response" in application;

/**
 * Messages that have the application's prototypes when they are made. Express gives them theirs later. An object whose
 * prototype changed is slow from then on, in Node's own code too: that was two thirds of what a short request cost.
 */
function messagesOf(application: WithPrototypes) {
  class Request extends IncomingMessage {}
  class Response<Message extends IncomingMessage> extends ServerResponse<Message> {}
  Object.setPrototypeOf(Request.prototype, application.request);
  Object.setPrototypeOf(Response.prototype, application.response);
  application.request = Request.prototype;
  application.response = Response.prototype;
  return { IncomingMessage: Request, ServerResponse: Response };
}

/** Listens. @throws the system's error when the address cannot be listened on. */
export async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<Serving> {
  const open = followResponses(server);
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
    drain: open.askToLeave,
    async close(limitMs) {
      open.askToLeave();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      open.endStreams();
      // A connection whose answer began before the stop becomes idle later.
      const look = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
      const cut = setTimeout(() => server.closeAllConnections(), limitMs);
      await closed;
      clearInterval(look);
      clearTimeout(cut);
    },
  };
}

/** Knows the responses that are under way. */
function followResponses(server: Server): { askToLeave(): void; endStreams(): void } {
  const open = new Set<ServerResponse>();
  let leaving = false;
  const ask = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader("Connection", "close");
  };
  server.prependListener("request", (_request, response) => {
    open.add(response);
    response.once("close", () => open.delete(response));
    if (leaving) ask(response);
  });
  return {
    askToLeave() {
      leaving = true;
      for (const response of open) ask(response);
    },
    endStreams() {
      for (const response of open) if (isEventStream(response)) response.end();
    },
  };
}

const isEventStream = (response: ServerResponse): boolean =>
  response.headersSent && String(response.getHeader("content-type")).startsWith("text/event-stream");
