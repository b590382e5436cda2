import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { orderRoute, sendNotFound } from "#http/order-route.ts";
import { ApiUnreachable, openEvents } from "#internal-api/checkout.ts";

/** Suppresses Next's warning about an unresolved request: the response stays open as long as the stream. */
export const config = { api: { bodyParser: false, externalResolver: true } };

/** Maximum length of a forwarded Last-Event-ID; our IDs are short numbers. */
const MAX_EVENT_ID_LENGTH = 64;

const open = new Set<AbortController>();
const endAll = () => {
  for (const stream of open) stream.abort();
};
process.once("SIGTERM", endAll);
process.once("SIGINT", endAll);

/** Streams the order's live status from the API. The API stream ends when the browser disconnects or this process stops. */
export default orderRoute(async ({ token, caller, config: settings, request, response }) => {
  if (request.method !== "GET") {
    response.setHeader("Allow", "GET");
    response.status(405).json({ reason: "method_not_allowed" });
    return;
  }
  if (open.size >= settings.maxStreams) {
    response.setHeader("Retry-After", "10");
    response.status(503).json({ reason: "too_many_streams" });
    return;
  }
  const stream = new AbortController();
  open.add(stream);
  response.once("close", () => stream.abort());
  const unanswered = setTimeout(() => stream.abort(), settings.apiTimeoutMs);
  try {
    const lastEventId = [request.headers["last-event-id"] ?? []].flat()[0]?.slice(0, MAX_EVENT_ID_LENGTH);
    const upstream = await openEvents(token, caller, lastEventId, stream.signal);
    clearTimeout(unanswered);
    if (upstream.status !== 200 || upstream.body === null) {
      await upstream.body?.cancel();
      if (upstream.status === 404) return sendNotFound(response);
      if (upstream.status !== 429) throw new ApiUnreachable(`The API's stream returned ${upstream.status}`);
      response.setHeader("Retry-After", upstream.headers.get("retry-after") ?? "10");
      response.status(429).json({ reason: "too_many_streams" });
      return;
    }
    response.writeHead(200, {
      "Content-Type": "text/event-stream; charset=utf-8",
      // Compression in a proxy would buffer events.
      "Cache-Control": "no-cache, no-transform",
      "X-Accel-Buffering": "no",
    });
    response.flushHeaders();
    await pipeline(Readable.from(upstream.body), response, { signal: stream.signal });
  } catch (error) {
    if (!response.headersSent) throw error;
    // A stream ends normally when the browser leaves, this process stops or the API restarts.
    response.end();
  } finally {
    clearTimeout(unanswered);
    open.delete(stream);
  }
});
