import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** Where the browser comes back to, on this machine. */
const PATH = "/connected";
const HOST = "127.0.0.1";

/** What the owner's browser brought, by the state that this program made. */
export type Returned = { code: string } | { declined: true };

export type LoopbackReturn = {
  /** The address to come back to. */
  url: string;
  /** The first return that this program asked for; null where none came in time. */
  returned: Promise<Returned | null>;
  /** Shows the waiting browser what became of it, and listens no more. */
  close(words: string): Promise<void>;
};

/**
 * Listens on this machine alone for one return with this state (RFC 8252). Any other request changes nothing: another state or
 * path, another host's name in front of this address, a second return.
 */
export async function listenForReturn(state: string, waitMs: number): Promise<LoopbackReturn> {
  let take: (returned: Returned | null) => void = () => undefined;
  const returned = new Promise<Returned | null>((resolve) => {
    take = resolve;
  });
  /** The browser that came back: it is answered when its code was exchanged. */
  let waiting: ServerResponse | null = null;
  let address = "";
  const server = createServer((request, response) => {
    const found = returnIn(request, address, state);
    if (found === null) return page(response, 404, "There is nothing here.");
    if (found === "unasked") return page(response, 400, "Nobody here asked for this. Nothing was changed.");
    if (waiting !== null) return page(response, 410, "This was used already. Nothing was changed.");
    waiting = response;
    take(found);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, HOST, resolve);
  });
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("The loopback address has no port.");
  address = `${HOST}:${bound.port}`;
  const timer = setTimeout(() => take(null), waitMs);
  return {
    url: `http://${address}${PATH}`,
    returned,
    async close(words) {
      clearTimeout(timer);
      if (waiting !== null) page(waiting, 200, words);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
    },
  };
}

function returnIn(request: IncomingMessage, address: string, state: string): Returned | "unasked" | null {
  // A name that was made to lead here is not this program.
  if (request.headers.host !== address || request.method !== "GET") return null;
  const url = new URL(request.url ?? "/", `http://${address}`);
  if (url.pathname !== PATH) return null;
  if (!isSame(url.searchParams.get("state") ?? "", state)) return "unasked";
  const code = url.searchParams.get("code");
  if (code !== null && code !== "") return { code };
  return url.searchParams.has("error") ? { declined: true } : "unasked";
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function page(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    connection: "close",
  });
  response.end(
    `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Tillgate</title><main><h1>${words}</h1><p>You may close this window and go back to the terminal.</p></main></html>`,
  );
}
