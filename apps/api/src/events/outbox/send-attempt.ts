import { type SignWebhookOptions, signWebhook } from "@tillgate/webhooks";
import { type buildConnector, Client } from "undici";
import { BlockedAddressError, parseEndpointUrl, UnresolvedHostError } from "./address-guard.js";
import { RESPONSE_BODY_MS, RESPONSE_BYTES } from "./limits.js";

const COMMENT = { begin: "<!--", end: "-->" } as const;
/** Matches the first tag of a web page, after whitespace and comments. */
const PAGE_START = /^<(?:!doctype html|html|head|body|h1)\b/i;

const HTML_TYPES = new Set(["text/html", "application/xhtml+xml"]);

/** Returns whether the response is a web page. PHP sends `text/html` by default, so a body of this type must also start with markup. */
export function isWebPage(contentType: string | string[] | undefined, bodyStart: string): boolean {
  const [type = ""] = String(contentType ?? "").split(";", 1);
  if (type.trim() === "") return startsLikeWebPage(bodyStart);
  return HTML_TYPES.has(type.trim().toLowerCase()) && bodyStart.charAt(skipBlanks(bodyStart, 0)) === "<";
}

/** Returns whether a body starts like a web page, after whitespace and comments. Takes linear time, because the receiver controls the body. */
export function startsLikeWebPage(bodyStart: string | null | undefined): boolean {
  const text = bodyStart ?? "";
  let at = skipBlanks(text, 0);
  while (text.startsWith(COMMENT.begin, at)) {
    const end = text.indexOf(COMMENT.end, at + COMMENT.begin.length);
    if (end === -1) return false;
    at = skipBlanks(text, end + COMMENT.end.length);
  }
  return PAGE_START.test(text.slice(at));
}

const skipBlanks = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && text.charAt(at).trim() === "") at += 1;
  return at;
};

export type ErrorKind =
  | "dns"
  | "tls"
  | "timeout"
  | "redirect"
  | "refused_address"
  | "connection"
  | "status"
  /** A 2xx response with a web page: a maintenance page, a login page or another site responded instead of the receiver. */
  | "html_response"
  /** Nothing was sent: the merchant has no active secret to sign with. */
  | "no_key";

/** `errorKind` null means success. */
export type AttemptOutcome = {
  latencyMs: number;
  httpStatus: number | null;
  errorKind: ErrorKind | null;
  /** The first KiB of the response, as text that PostgreSQL can store; for a redirect, `Location: …`. */
  answerStart: string | null;
  retryAfter: string | undefined;
};

type SendAttemptOptions = {
  address: string;
  mode: "sandbox" | "live";
  headers: Record<string, string>;
  body: string;
  connector: buildConnector.connector;
  privateAllowed: boolean;
  /** Time limit of the whole attempt, in milliseconds. */
  timeoutMs: number;
  /** Aborts the attempt when the process shuts down. */
  abandon?: AbortSignal;
};

/** Sends one request, without following redirects. A 2xx response in time counts as success unless it is a web page. @returns null if aborted. */
export async function sendAttempt(options: SendAttemptOptions): Promise<AttemptOutcome | null> {
  const { abandon } = options;
  const started = performance.now();
  const deadline = new AbortController();
  const stop = () => deadline.abort();
  const timer = setTimeout(stop, options.timeoutMs);
  abandon?.addEventListener("abort", stop);
  try {
    if (abandon?.aborted) return null;
    const response = await post(options, deadline.signal);
    return { latencyMs: Math.round(performance.now() - started), ...response };
  } catch (error) {
    if (abandon?.aborted) return null;
    const latencyMs = Math.round(performance.now() - started);
    const errorKind = deadline.signal.aborted ? "timeout" : classifyError(error);
    return { latencyMs, httpStatus: null, errorKind, answerStart: null, retryAfter: undefined };
  } finally {
    clearTimeout(timer);
    abandon?.removeEventListener("abort", stop);
  }
}

type ReceiverResponse = Omit<AttemptOutcome, "latencyMs">;

async function post(options: SendAttemptOptions, signal: AbortSignal): Promise<ReceiverResponse> {
  const url = parseEndpointUrl(options);
  // A new client per attempt: it resolves and checks the address again, and cannot fail on an idle connection that the receiver has closed.
  const client = new Client(url.origin, {
    connect: options.connector,
    pipelining: 0,
    headersTimeout: options.timeoutMs,
    bodyTimeout: RESPONSE_BODY_MS,
  });
  try {
    const { statusCode, headers, body } = await client.request({
      method: "POST",
      path: url.pathname + url.search,
      headers: options.headers,
      body: options.body,
      signal,
    });
    // Destroying an unfinished body emits an error on the stream when nothing listens anymore.
    body.on("error", () => {});
    const start = await readStart(body, signal);
    const { location, "retry-after": retryAfter } = headers;
    const errorKind =
      classifyStatus(statusCode) ?? (isWebPage(headers["content-type"], start) ? "html_response" : null);
    const isNamed = errorKind === "redirect" && typeof location === "string";
    return {
      httpStatus: statusCode,
      errorKind,
      answerStart: isNamed
        ? `${REDIRECT_LINE}${toAbsoluteUrl(location, url)}`.slice(0, RESPONSE_BYTES).replaceAll("\0", "")
        : start,
      retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    };
  } finally {
    // Not awaited, because a connection that is still opening must not delay the attempt.
    void client.destroy();
  }
}

async function readStart(
  body: AsyncIterable<Uint8Array> & { destroy(): void },
  signal: AbortSignal,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const stop = () => body.destroy();
  const timer = setTimeout(stop, RESPONSE_BODY_MS);
  signal.addEventListener("abort", stop);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes >= RESPONSE_BYTES) break;
    }
  } catch {
    // A truncated body is not a failure; the part that arrived is stored.
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    body.destroy();
  }
  const start = Buffer.concat(chunks).subarray(0, RESPONSE_BYTES);
  // `stream` drops a character that the limit cuts in two; PostgreSQL's text cannot store a NUL.
  return new TextDecoder().decode(start, { stream: true }).replaceAll("\0", "");
}

const toAbsoluteUrl = (location: string, { href }: URL): string =>
  URL.canParse(location, href) ? new URL(location, href).href : location;

const REDIRECT_LINE = "Location: ";

/** Returns null if the stored response has no redirect target. */
export const parseRedirectTarget = (responseStart: string | null | undefined): string | null =>
  responseStart?.startsWith(REDIRECT_LINE) === true ? responseStart.slice(REDIRECT_LINE.length) : null;

function classifyStatus(status: number): ErrorKind | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "status";
}

const TLS_CODES =
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERROR_IN_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)/;

export function classifyError(error: unknown): ErrorKind {
  if (error instanceof BlockedAddressError) return "refused_address";
  if (error instanceof UnresolvedHostError) return "dns";
  if (error instanceof AggregateError && error.errors.length > 0) return classifyError(error.errors[0]);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/TIMEDOUT|TIMEOUT/.test(code)) return "timeout";
  return TLS_CODES.test(code) ? "tls" : "connection";
}

export const createDeliveryHeaders = (signed: SignWebhookOptions): Record<string, string> => ({
  "content-type": "application/json",
  "user-agent": "Tillgate-Webhooks/1",
  ...signWebhook(signed),
});
