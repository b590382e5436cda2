import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

/** A collector of OpenTelemetry that keeps what it is sent: OTLP as JSON at `/v1/traces`, all of it again at `/spans`. */
export async function startTraceCollector(): Promise<{ url: string; close(): void }> {
  const kept: unknown[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === "POST") kept.push(await json(request));
    response
      .setHeader("content-type", "application/json")
      .end(request.method === "POST" ? "{}" : JSON.stringify(kept));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The collector has no port.");
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}
