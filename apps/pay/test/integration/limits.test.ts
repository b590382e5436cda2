import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { payableView } from "../fake-api";
import { type PageServer, PageServer as Server } from "../page-server";

const REQUEST_MS = 2000;
const MOST_CONNECTIONS = 10;

let server: PageServer;
beforeAll(async () => {
  server = await Server.start({
    TILLGATE_PAY_REQUEST_TIMEOUT_MS: String(REQUEST_MS),
    TILLGATE_PAY_MAX_CONNECTIONS: String(MOST_CONNECTIONS),
  });
  server.api.orders.set("order", payableView("order"));
});
afterAll(() => server.stop());

/** Opens a connection, sends `text`, and collects what is received until it is closed. */
async function call(text: string): Promise<{ socket: Socket; closed: Promise<string> }> {
  const { hostname, port } = new URL(server.origin);
  const socket = connect(Number(port), hostname);
  await new Promise((resolve) => socket.once("connect", resolve));
  let heard = "";
  socket.on("data", (bytes) => (heard += String(bytes)));
  socket.on("error", () => {});
  const closed = new Promise<string>((resolve) => socket.once("close", () => resolve(heard)));
  socket.write(text);
  return { socket, closed };
}

describe("connection limits", () => {
  it.each([
    ["its headers", "GET /pay/order HTTP/1.1\r\nHost: localhost\r\nX-Slow: "],
    [
      "its body",
      "POST /pay/order/cancel HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\nform_token=",
    ],
  ])("close a connection that never finishes sending %s", async (_part, text) => {
    const began = performance.now();
    const { closed } = await call(text);
    await closed;
    expect(performance.now() - began).toBeLessThan(REQUEST_MS + 5000);
  });

  it("do not time out a live stream", async () => {
    const { socket, closed } = await call("GET /pay/order/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const first = await Promise.race([
      closed.then(() => "closed"),
      new Promise((resolve) => setTimeout(() => resolve("open"), REQUEST_MS + 3000)),
    ]);
    expect(first).toBe("open");
    socket.destroy();
  });

  it("close a connection beyond the maximum, and accept new connections after the open connections end", async () => {
    const connections = await Promise.all(Array.from({ length: MOST_CONNECTIONS + 2 }, () => call("GET ")));
    const ended = await Promise.race([
      Promise.any(connections.map(({ closed }) => closed.then(() => "one was closed"))),
      new Promise((resolve) => setTimeout(() => resolve("none was closed"), REQUEST_MS / 2)),
    ]);
    expect(ended).toBe("one was closed");
    for (const { socket } of connections) socket.destroy();
    await Promise.all(connections.map(({ closed }) => closed));
    await expect
      .poll(() =>
        server.request("/healthz").then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
  });

  it("announce a keep-alive timeout of 65 s, above the usual 60 s of load balancers", async () => {
    const { headers } = await server.request("/healthz");
    expect(headers.get("keep-alive")).toBe("timeout=65");
  });
});

describe("disabled framework features", () => {
  it("include the Next.js image optimizer", async () => {
    const { status } = await server.request("/_next/image?url=%2Fassets%2Ficon.svg&w=640&q=75");
    expect(status).toBe(404);
  });
});

describe("an unconfigured reverse proxy", () => {
  it("causes one warning, and its X-Forwarded-For header is ignored", async () => {
    for (let i = 0; i < 3; i += 1)
      await server.request("/pay/order", { headers: { "X-Forwarded-For": `203.0.113.${i}` } });
    const warnings = server.process.output().match(/TILLGATE_PAY_PROXY_HOPS is 0/g);
    expect(warnings).toHaveLength(1);
    expect(server.process.output()).not.toContain("203.0.113");
    expect(server.api.last("/orders/order")?.headers["x-tillgate-client-address"]).toBe("127.0.0.1");
  });
});
