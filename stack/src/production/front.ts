import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps, type Server } from "node:https";
import type { SecureContextOptions } from "node:tls";
import { limitServer, listen, type Serving } from "@tillgate/service/serve";
import { createProxyServer } from "httpxy";

/** Path of HTTP-01 challenges (RFC 8555, 8.3). */
const CHALLENGE_PATH = "/.well-known/acme-challenge/";
/** Longer than any API call and than the keep-alive interval of a stream. */
const UPSTREAM_TIMEOUT_MS = 60_000;
/** Only this proxy may set these headers; if a client sends them, they are removed. */
const FORWARDING_HEADERS = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-proto",
  "x-forwarded-host",
  "x-forwarded-port",
];

export type Front = {
  /** Uses this certificate for new connections. */
  setCertificate(certificate: Pick<SecureContextOptions, "cert" | "key">): void;
  /** Stops accepting connections, and waits up to the limit for requests in progress. */
  close(limitMs: number): Promise<void>;
};

type FrontOptions = {
  host: string;
  httpsPort: number;
  httpPort: number;
  /** Loopback URLs by public host name. */
  upstreams: ReadonlyMap<string, string>;
  /** Loopback URLs by path, for paths that are served on every host. */
  paths?: ReadonlyMap<string, string>;
  certificate: Pick<SecureContextOptions, "cert" | "key">;
  /** Responses by token. */
  challenges: ReadonlyMap<string, string>;
  log: (line: string) => void;
};

/**
 * Starts the reverse proxy, which terminates TLS, forwards requests to the services, and redirects HTTP to HTTPS. It replaces forwarding headers from
 * clients, because the services trust these headers.
 */
export async function startFront(options: FrontOptions): Promise<Front> {
  const { upstreams, log } = options;
  const proxy = createProxyServer({ proxyTimeout: UPSTREAM_TIMEOUT_MS });
  proxy.on("error", (error, _request, response) => {
    log(`A request could not be forwarded: ${error.message}`);
    if (response && "writeHead" in response && !response.headersSent)
      respond(response, 503, "Service unavailable. Try again in a moment.", { "Retry-After": "2" });
    else response?.destroy();
  });
  const https: Server = createHttps(
    { ...options.certificate, minVersion: "TLSv1.2" },
    (request, response) => {
      const upstream = upstreams.get(getHost(request));
      if (upstream === undefined) return respond(response, 421, "This host is not served here.");
      for (const name of FORWARDING_HEADERS) delete request.headers[name];
      request.headers["x-forwarded-for"] = request.socket.remoteAddress ?? "";
      request.headers["x-forwarded-proto"] = "https";
      request.headers["x-forwarded-host"] = request.headers.host ?? "";
      // The error event handler responds.
      const target = options.paths?.get(request.url ?? "") ?? upstream;
      proxy.web(request, response, { target }).catch(() => undefined);
    },
  );
  limitServer(https);
  const http = createHttp((request, response) => {
    const { url = "/" } = request;
    const challenge = url.startsWith(CHALLENGE_PATH)
      ? options.challenges.get(url.slice(CHALLENGE_PATH.length))
      : undefined;
    if (challenge !== undefined) return respond(response, 200, challenge);
    const host = getHost(request);
    if (!upstreams.has(host)) return respond(response, 421, "This host is not served here.");
    const port = options.httpsPort === 443 ? "" : `:${options.httpsPort}`;
    // 308 would make the client resend a body that was sent in plain text; reject such requests instead.
    const status = request.method === "GET" || request.method === "HEAD" ? 308 : 403;
    respond(
      response,
      status,
      "Use https.",
      status === 308 ? { Location: `https://${host}${port}${url}` } : {},
    );
  });
  limitServer(http);
  const listeners: Serving[] = [];
  try {
    listeners.push(await listen(https, { host: options.host, port: options.httpsPort }));
    listeners.push(await listen(http, { host: options.host, port: options.httpPort }));
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.close(0)));
    throw error;
  }
  return {
    setCertificate: (certificate) => https.setSecureContext({ ...certificate, minVersion: "TLSv1.2" }),
    async close(limitMs) {
      await Promise.all(listeners.map((listener) => listener.close(limitMs)));
    },
  };
}

const getHost = ({ headers }: IncomingMessage): string =>
  (headers.host ?? "").replace(/:\d{1,5}$/, "").toLowerCase();

function respond(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      ...headers,
    })
    .end(`${text}\n`);
}
