import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps, type Server } from "node:https";
import type { SecureContextOptions } from "node:tls";
import { limitServer, listen, type Serving } from "@tillgate/service/serve";
import { createProxyServer } from "httpxy";

/** Where the authority looks for the proof that a host is ours (RFC 8555, 8.3). */
const CHALLENGE_PATH = "/.well-known/acme-challenge/";
/** Longer than any call of the api, or a stream's next comment. */
const UPSTREAM_LIMIT_MS = 60_000;
/** What a caller may say of itself, and only this front knows. */
const FORWARDED = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-proto",
  "x-forwarded-host",
  "x-forwarded-port",
];

export type Front = {
  /** From now on connections are made with this certificate. */
  use(certificate: Pick<SecureContextOptions, "cert" | "key">): void;
  /** Stops accepting, and waits until what was accepted is answered. */
  close(limitMs: number): Promise<void>;
};

type FrontOptions = {
  host: string;
  httpsPort: number;
  httpPort: number;
  /** The address on loopback of what serves a host, by the host's name. */
  upstreams: ReadonlyMap<string, string>;
  certificate: Pick<SecureContextOptions, "cert" | "key">;
  /** What is answered to the authority, by token. */
  challenges: ReadonlyMap<string, string>;
  log: (line: string) => void;
};

/**
 * Ends TLS for all hosts and passes requests on to what serves them. Whatever a caller says about how it came is taken out. The
 * programs behind believe this front, and nobody else.
 */
export async function startFront(options: FrontOptions): Promise<Front> {
  const { upstreams, log } = options;
  const proxy = createProxyServer({ proxyTimeout: UPSTREAM_LIMIT_MS });
  proxy.on("error", (error, _request, response) => {
    log(`A request could not be passed on: ${error.message}`);
    if (response && "writeHead" in response && !response.headersSent)
      answer(response, 503, "Not available now. Try again in a moment.", { "Retry-After": "2" });
    else response?.destroy();
  });
  const https: Server = createHttps(
    { ...options.certificate, minVersion: "TLSv1.2" },
    (request, response) => {
      const upstream = upstreams.get(hostOf(request));
      if (upstream === undefined) return answer(response, 421, "This host is not served here.");
      for (const name of FORWARDED) delete request.headers[name];
      request.headers["x-forwarded-for"] = request.socket.remoteAddress ?? "";
      request.headers["x-forwarded-proto"] = "https";
      request.headers["x-forwarded-host"] = request.headers.host ?? "";
      // Its error comes as an event too, which answers.
      proxy.web(request, response, { target: upstream }).catch(() => undefined);
    },
  );
  limitServer(https);
  const http = createHttp((request, response) => {
    const { url = "/" } = request;
    const challenge = url.startsWith(CHALLENGE_PATH)
      ? options.challenges.get(url.slice(CHALLENGE_PATH.length))
      : undefined;
    if (challenge !== undefined) return answer(response, 200, challenge);
    const host = hostOf(request);
    if (!upstreams.has(host)) return answer(response, 421, "This host is not served here.");
    const port = options.httpsPort === 443 ? "" : `:${options.httpsPort}`;
    // A body sent in the clear is not to be sent again by itself: 308 would.
    const status = request.method === "GET" || request.method === "HEAD" ? 308 : 403;
    answer(
      response,
      status,
      "Use https.",
      status === 308 ? { Location: `https://${host}${port}${url}` } : {},
    );
  });
  limitServer(http);
  const open: Serving[] = [];
  try {
    open.push(await listen(https, { host: options.host, port: options.httpsPort }));
    open.push(await listen(http, { host: options.host, port: options.httpPort }));
  } catch (error) {
    await Promise.all(open.map((one) => one.close(0)));
    throw error;
  }
  return {
    use: (certificate) => https.setSecureContext({ ...certificate, minVersion: "TLSv1.2" }),
    async close(limitMs) {
      await Promise.all(open.map((one) => one.close(limitMs)));
    },
  };
}

/** The host that a request names, without a port. */
const hostOf = ({ headers }: IncomingMessage): string =>
  (headers.host ?? "").replace(/:\d{1,5}$/, "").toLowerCase();

function answer(
  response: ServerResponse,
  status: number,
  said: string,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      ...headers,
    })
    .end(`${said}\n`);
}
