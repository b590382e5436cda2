import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

const PATH = "/connected";
const HOST = "127.0.0.1";

/** Parameters of the redirect, after its `state` was verified. */
export type RedirectParams = { code: string } | { declined: true };

export type LoopbackRedirect = {
  url: string;
  /** The first redirect with the expected `state`; null after the timeout. */
  params: Promise<RedirectParams | null>;
  /** Shows the result in the waiting browser, and stops listening. */
  close(text: string): Promise<void>;
};

/** Listens on the loopback interface for one redirect with this `state` (RFC 8252). */
export async function listenForRedirect(state: string, waitMs: number): Promise<LoopbackRedirect> {
  let resolveParams: (params: RedirectParams | null) => void = () => undefined;
  const params = new Promise<RedirectParams | null>((resolve) => {
    resolveParams = resolve;
  });
  /** The response to the browser's request, sent by `close` after the code is exchanged. */
  let pendingResponse: ServerResponse | null = null;
  let address = "";
  const server = createServer((request, response) => {
    const redirect = parseRedirect(request, address, state);
    if (redirect === null) return sendPage(response, 404, "Page not found.");
    if (redirect === "unexpected")
      return sendPage(response, 400, "This request wasn't expected. Nothing was changed.");
    if (pendingResponse !== null)
      return sendPage(response, 410, "This link was already used. Nothing was changed.");
    pendingResponse = response;
    resolveParams(redirect);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, HOST, resolve);
  });
  const bound = server.address();
  if (bound === null || typeof bound === "string")
    throw new Error("The loopback server is not listening on a TCP port.");
  address = `${HOST}:${bound.port}`;
  const timer = setTimeout(() => resolveParams(null), waitMs);
  return {
    url: `http://${address}${PATH}`,
    params,
    async close(text) {
      clearTimeout(timer);
      if (pendingResponse !== null) sendPage(pendingResponse, 200, text);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
    },
  };
}

function parseRedirect(
  request: IncomingMessage,
  address: string,
  state: string,
): RedirectParams | "unexpected" | null {
  // Rejects other host names that resolve to the loopback address (DNS rebinding).
  if (request.headers.host !== address || request.method !== "GET") return null;
  const url = new URL(request.url ?? "/", `http://${address}`);
  if (url.pathname !== PATH) return null;
  if (!isSame(url.searchParams.get("state") ?? "", state)) return "unexpected";
  const code = url.searchParams.get("code");
  if (code !== null && code !== "") return { code };
  return url.searchParams.has("error") ? { declined: true } : "unexpected";
}

function isSame(received: string, expected: string): boolean {
  const [receivedBytes, expectedBytes] = [Buffer.from(received), Buffer.from(expected)];
  return receivedBytes.length === expectedBytes.length && timingSafeEqual(receivedBytes, expectedBytes);
}

function sendPage(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    connection: "close",
  });
  response.end(
    `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Tillgate</title><main><h1>${text}</h1><p>You can close this window and return to the terminal.</p></main></html>`,
  );
}
