import type { IncomingMessage, ServerResponse } from "node:http";

export function serveHealthz(request: IncomingMessage, response: ServerResponse): void {
  const reads = request.method === "GET" || request.method === "HEAD";
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.statusCode = reads ? 200 : 405;
  if (!reads) response.setHeader("Allow", "GET, HEAD");
  response.end(JSON.stringify({ status: reads ? "ok" : "method not allowed" }));
}
