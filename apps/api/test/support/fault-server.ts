import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

export type ReceivedWebhook = {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Number of requests with the same webhook-id in progress when this request arrived. */
  concurrentDuplicates: number;
  /** Time of arrival, by `performance.now()`. */
  at: number;
};

/**
 * Responds to a request. `count` numbers the requests with its webhook-id, and `all` numbers all requests to
 * its path.
 */
type Respond = (response: ServerResponse, count: number, all: number) => unknown;

const everyTick = (response: ServerResponse, write: () => void): void => {
  const timer = setInterval(write, 200);
  response.on("close", () => clearInterval(timer));
};

const RESPONSES: Record<string, Respond> = {
  "/ok": (response) => response.writeHead(200).end("thank you"),
  "/slow-500-at-first": (response, _, all) =>
    all > 1 ? response.writeHead(200).end() : setTimeout(() => response.writeHead(500).end(), 3_000),
  "/slow": (response) => setTimeout(() => response.writeHead(200).end(), 150),
  "/fails-twice": (response, count) => response.writeHead(count <= 2 ? 500 : 204).end(),
  "/500": (response) => response.writeHead(500).end("x".repeat(100_000)),
  "/410": (response) => response.writeHead(410).end(),
  "/redirect": (response) => response.writeHead(307, { location: "/ok" }).end(),
  "/html-200": (response) =>
    response
      .writeHead(200, { "content-type": "Text/HTML; charset=utf-8" })
      .end("\n<div>We'll be back soon</div>"),
  "/html-untyped": (response) =>
    response.writeHead(200).end("<!-- x --><!doctype html><title>Sign in</title>"),
  "/html": (response) => response.writeHead(404, { "content-type": "text/html" }).end("<h1>not here\0</h1>"),
  "/retry-after": (response) => response.writeHead(503, { "retry-after": "15" }).end(),
  "/retry-after-huge": (response) => response.writeHead(503, { "retry-after": "9999999999" }).end(),
  "/retry-after-small": (response) => response.writeHead(429, { "retry-after": "0" }).end(),
  "/retry-after-negative": (response) => response.writeHead(503, { "retry-after": "-5" }).end(),
  "/hang": () => {},
  "/hang-once": (response, count) => count > 1 && response.writeHead(200).end(),
  "/hang-at-second": (response, count) => count !== 2 && response.writeHead(count === 1 ? 500 : 200).end(),
  "/drip-head": (response) => {
    response.socket?.write("HTTP/1.1 200 OK\r\nx-slow: ");
    everyTick(response, () => response.socket?.write("x"));
  },
  "/drip-body": (response) => {
    response.writeHead(200);
    everyTick(response, () => response.write("."));
  },
  "/endless-body": (response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(65_536, "x");
    const pour = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", pour);
    pour();
  },
  "/reset": (response) => response.socket?.destroy(),
};

/** A webhook receiver on loopback that records requests. The path selects how it responds or fails. */
export type FaultServer = {
  received: ReceivedWebhook[];
  maxConcurrent: number;
  requestsTo(path: string): ReceivedWebhook[];
  urlOf(path: string): string;
  close(): Promise<void>;
};

export async function startFaultServer(): Promise<FaultServer> {
  const received: ReceivedWebhook[] = [];
  const answering = new Map<string, number>();
  let atOnce = 0;
  const server: Server = createServer(async (request, response) => {
    const at = performance.now();
    const path = request.url ?? "";
    const id = String(request.headers["webhook-id"]);
    const sameAtOnce = answering.get(id) ?? 0;
    answering.set(id, sameAtOnce + 1);
    atOnce += 1;
    faults.maxConcurrent = Math.max(faults.maxConcurrent, atOnce);
    response.on("close", () => {
      atOnce -= 1;
      answering.set(id, (answering.get(id) ?? 1) - 1);
    });
    const body = await buffer(request);
    received.push({ path, headers: request.headers, body, concurrentDuplicates: sameAtOnce, at });
    const result = RESPONSES[path.split("?")[0] ?? ""];
    const all = received.filter((item) => item.path === path);
    const count = all.filter(({ headers }) => headers["webhook-id"] === id).length;
    if (result) result(response, count, all.length);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("the fault server has no port");
  const { port } = bound;
  const faults: FaultServer = {
    received,
    maxConcurrent: 0,
    requestsTo: (path) => received.filter((item) => item.path === path),
    urlOf: (path) => `http://127.0.0.1:${port}${path}`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return faults;
}
