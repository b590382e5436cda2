import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { payableView } from "../fake-api";
import { type PageServer, PageServer as Server } from "../page-server";

/**
 * Time limit for forwarding an event. It allows for a busy machine, but not for buffering, which would hold the event until
 * the stream ends or the next keep-alive follows, up to 15 s later.
 */
const PROMPT_MS = 2_000;

let server: PageServer;
beforeAll(async () => {
  server = await Server.start({ TILLGATE_PAY_MAX_STREAMS: "3" });
});
afterAll(() => server.stop());

async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { timeout: 3000, interval: 10 }).toBe(true);
}

/** Opens the stream like a browser, accepting compression, and reads it chunk by chunk. */
async function listen(token: string, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const response = await fetch(`${server.origin}/pay/${token}/events`, {
    signal: abort.signal,
    headers: { Accept: "text/event-stream", "Accept-Encoding": "gzip, deflate, br", ...headers },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  return {
    response,
    next: async () => (await reader?.read())?.value ?? null,
    leave: () => abort.abort(),
  };
}

describe("GET /pay/{token}/events", () => {
  it("forwards each event immediately, uncompressed, and ends after the last one", async () => {
    server.api.orders.set("live", payableView("live"));
    const stream = await listen("live");
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get("content-type")).toContain("text/event-stream");
    expect(stream.response.headers.get("cache-control")).toBe("no-cache, no-transform");
    expect(stream.response.headers.get("content-encoding")).toBeNull();
    expect(await stream.next()).toContain('event: status\ndata: {"status":"PENDING","version":1');
    const changed = performance.now();
    server.api.pay("live");
    expect(await stream.next()).toContain('id: 2\nevent: status\ndata: {"status":"PAID"');
    expect(performance.now() - changed).toBeLessThan(PROMPT_MS);
    expect(await stream.next()).toBeNull();
    await until(() => server.api.streams("live") === 0);
  });

  it("closes the API stream when the browser disconnects", async () => {
    server.api.orders.set("left", payableView("left"));
    const stream = await listen("left");
    await stream.next();
    expect(server.api.streams("left")).toBe(1);
    stream.leave();
    await until(() => server.api.streams("left") === 0);
  });

  it("forwards Last-Event-ID and the client address to the API", async () => {
    server.api.orders.set("resumed", payableView("resumed"));
    const stream = await listen("resumed", { "Last-Event-ID": "7" });
    await stream.next();
    stream.leave();
    const headers = server.api.last("/events")?.headers;
    expect(headers?.["last-event-id"]).toBe("7");
    expect(headers?.["x-tillgate-client-address"]).toBe("127.0.0.1");
  });

  it("returns 404 for an unknown order", async () => {
    const stream = await listen("unknown");
    expect(stream.response.status).toBe(404);
    await stream.next();
  });

  it("rejects streams beyond the process limit with 503 and a Retry-After header", async () => {
    server.api.orders.set("many", payableView("many"));
    const open = await Promise.all([listen("many"), listen("many"), listen("many")]);
    const rejected = await listen("many");
    expect(rejected.response.status).toBe(503);
    expect(rejected.response.headers.get("retry-after")).toBe("10");
    for (const stream of open) stream.leave();
    await until(() => server.api.streams("many") === 0);
  });
});

describe("GET /pay/{token}/status", () => {
  it("returns only the order's status, version and remaining time, and 404 for an unknown order", async () => {
    server.api.orders.set("polled", payableView("polled"));
    const { status, body, headers } = await server.request("/pay/polled/status");
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(JSON.parse(body)).toEqual({ status: "PENDING", version: 1, expires_in_ms: 298_000 });
    expect((await server.request("/pay/unknown/status")).status).toBe(404);
  });
});

describe("GET /pay/{token}/qr.svg", () => {
  it("returns an SVG that any site can embed, and sets no cookie", async () => {
    server.api.orders.set("picture", payableView("picture"));
    const { status, body, headers } = await server.request("/pay/picture/qr.svg");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("image/svg+xml");
    expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(headers.getSetCookie()).toEqual([]);
    expect(body).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  });

  it("returns 404 if the shop has disabled the QR code, and for an unknown order", async () => {
    server.api.orders.set("none", payableView("none", { qr_data: null }));
    expect((await server.request("/pay/none/qr.svg")).status).toBe(404);
    expect((await server.request("/pay/unknown/qr.svg")).status).toBe(404);
  });
});
