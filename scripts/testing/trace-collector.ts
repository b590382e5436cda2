import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

/** Starts an OpenTelemetry collector for tests. It stores posted traces (OTLP/JSON) and returns all of them in response to GET. */
export async function startTraceCollector(): Promise<{ url: string; close(): void }> {
  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === "POST") received.push(await json(request));
    response
      .setHeader("content-type", "application/json")
      .end(request.method === "POST" ? "{}" : JSON.stringify(received));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The collector has no port.");
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}
