import { setTimeout as wait } from "node:timers/promises";
import { parseRetryAfter, receivedErrorSchema } from "@tillgate/contract";
import {
  type CallContext,
  TillgateApiError,
  TillgateConnectionError,
  type TillgateError,
  TillgateResponseError,
} from "./errors.js";
import { MAX_RESPONSE_BYTES, MAX_RETRY_DELAY_MS } from "./limits.js";

const isRetryable = (status: number): boolean => status === 429 || (status >= 500 && status <= 599);

/** Returns the requested delay, or else an exponential delay from `firstMs` with jitter; null if the requested delay is too long. */
function retryDelayMs(retry: number, firstMs: number, requestedMs: number | null): number | null {
  if (requestedMs !== null) return requestedMs > MAX_RETRY_DELAY_MS ? null : requestedMs;
  const full = Math.min(MAX_RETRY_DELAY_MS, firstMs * 2 ** retry);
  return full / 2 + Math.random() * (full / 2);
}

/** The part of a contract schema that is used here, independent of the schema library. */
export type ResponseSchema<T> = {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: T }
    | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
};

/** What a client needs to send requests. Clients keep it in closures, so that printing a client reveals no secret. */
export type Transport = {
  /** For example `https://api.example/pay/api/v1`. */
  base: string;
  /** Returns the `Authorization` header, and fetches a token if needed. */
  authorize: () => Promise<string>;
  /** Discards a token that the API rejected. @returns whether a token was cached. */
  forgetAuthorization?: () => boolean;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  maxRetries: number;
  firstRetryDelayMs: number;
  mask: (text: string) => string;
};

export type Call<T> = {
  method: "GET" | "POST" | "PUT";
  /** The path below the base, with encoded IDs: `/orders/POS-…`. */
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: object;
  headers?: Record<string, string>;
  schema: ResponseSchema<T>;
  signal?: AbortSignal | undefined;
};

/** A call that returns a file, which is not read into memory. */
export type FileCall = Omit<Call<unknown>, "method" | "schema">;

type Failure = { error: TillgateError; retryable: boolean; retryAfterMs: number | null };

/**
 * Sends a call, with retries. Every attempt sends the same body and therefore the same idempotency key.
 * @throws TillgateApiError, TillgateConnectionError or TillgateResponseError of the last attempt or of the request for an access token;
 * TillgateConnectionError `aborted` if the caller aborts the call, even between attempts
 */
export async function send<Data>(transport: Transport, call: Call<{ data: Data }>): Promise<Data> {
  const { data } = await sendWithRetries(transport, call, async (response, context) =>
    readResponse(transport, call.schema, response, await readBody(response), context),
  );
  return data;
}

/**
 * Requests a file as a stream. The timeout applies until the response starts; reading the stream fails if the connection breaks.
 * @throws the same errors as {@link send}.
 */
export const requestFile = (transport: Transport, call: FileCall): Promise<ReadableStream<Uint8Array>> =>
  sendWithRetries(transport, { method: "GET", ...call }, async (response, context) =>
    response.ok && response.body !== null
      ? { data: response.body }
      : readResponse(transport, NO_JSON, response, await readBody(response), context),
  );

/** Accepts nothing: a file call expects no JSON data. */
const NO_JSON: ResponseSchema<never> = {
  safeParse: () => ({ success: false, error: { issues: [{ path: [], message: "" }] } }),
};

type Read<T> = (response: Response, context: CallContext) => Promise<{ data: T } | Failure>;

async function sendWithRetries<T>(
  transport: Transport,
  call: Omit<Call<T>, "schema">,
  read: Read<T>,
): Promise<T> {
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  let mayRenew = transport.forgetAuthorization !== undefined;
  for (let attempt = 1; ; attempt += 1) {
    const context = { operation: `${call.method} ${call.path}`, attempts: attempt };
    const authorization = await authorize(transport, call.signal, context);
    const outcome = await sendOnce(transport, call, { body, authorization, read }, context);
    if ("data" in outcome) return outcome.data;
    if (mayRenew && isTokenRejected(outcome.error) && transport.forgetAuthorization?.()) {
      // Renewed once, without counting as a retry, because the token was revoked or expired early.
      mayRenew = false;
      attempt -= 1;
      continue;
    }
    if (!outcome.retryable || attempt > transport.maxRetries) throw outcome.error;
    const delayMs = retryDelayMs(attempt - 1, transport.firstRetryDelayMs, outcome.retryAfterMs);
    if (delayMs === null) throw outcome.error;
    try {
      await wait(delayMs, undefined, { signal: call.signal });
    } catch {
      throw abortedError(context, outcome.error);
    }
  }
}

const abortedError = (context: CallContext, cause: unknown): TillgateConnectionError =>
  new TillgateConnectionError("aborted", "the caller aborted the call", context, cause);

/** Returns the `Authorization` header. An abort ends only this wait, because concurrent calls share the request for a token. */
async function authorize(
  transport: Transport,
  signal: AbortSignal | undefined,
  context: CallContext,
): Promise<string> {
  if (signal === undefined) return transport.authorize();
  if (signal.aborted) throw abortedError(context, signal.reason);
  return new Promise((resolve, reject) => {
    const abort = () => reject(abortedError(context, signal.reason));
    signal.addEventListener("abort", abort);
    transport
      .authorize()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}

const isTokenRejected = (error: TillgateError): boolean =>
  error instanceof TillgateApiError && error.status === 403;

async function sendOnce<T>(
  transport: Transport,
  call: Omit<Call<T>, "schema">,
  { body, authorization, read }: { body: string | undefined; authorization: string; read: Read<T> },
  context: CallContext,
): Promise<{ data: T } | Failure> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), transport.timeoutMs);
  const headers: Record<string, string> = { accept: "application/json", ...call.headers, authorization };
  if (body !== undefined) headers["content-type"] = "application/json";
  try {
    const response = await transport.fetch(`${transport.base}${call.path}${queryText(call.query)}`, {
      method: call.method,
      headers,
      // A redirect could leak the credentials; the API never sends one.
      redirect: "manual",
      signal: call.signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, call.signal]),
      ...(body === undefined ? {} : { body }),
    });
    return await read(response, context);
  } catch (cause) {
    return connectionFailure(transport, call, timeout.signal, cause, context);
  } finally {
    clearTimeout(timer);
  }
}

function queryText(query: Call<unknown>["query"]): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) fields.set(name, String(value));
  }
  return fields.size === 0 ? "" : `?${fields}`;
}

/** Reads the response's text. @returns null if the text exceeds {@link MAX_RESPONSE_BYTES}. */
async function readBody(response: Response): Promise<string | null> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_RESPONSE_BYTES) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function readResponse<T>(
  transport: Transport,
  schema: ResponseSchema<T>,
  response: Response,
  text: string | null,
  context: CallContext,
): { data: T } | Failure {
  const { status } = response;
  const requestId = response.headers.get("x-request-id");
  const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), Date.now()) ?? null;
  const invalidResponseFailure = (problem: string): Failure => ({
    error: new TillgateResponseError({ status, requestId, text: transport.mask(problem) }, context),
    retryable: isRetryable(status),
    retryAfterMs,
  });

  if (text === null) return invalidResponseFailure(`the response is larger than ${MAX_RESPONSE_BYTES} bytes`);
  if (status >= 300 && status < 400)
    return invalidResponseFailure("the response is a redirect; check the base URL");
  const json = parseJson(text);
  if (json === undefined) return invalidResponseFailure("the response is not JSON; check the base URL");

  if (!response.ok) {
    const envelope = receivedErrorSchema.safeParse(json);
    if (!envelope.success) return invalidResponseFailure("the response is not a Tillgate error");
    const messages = envelope.data.message.error.map(transport.mask);
    const fieldErrors = Object.fromEntries(
      Object.entries(envelope.data.errors ?? {}).map(([field, texts]) => [field, texts.map(transport.mask)]),
    );
    const { error_code: errorCode = null, param = null } = envelope.data;
    const error = new TillgateApiError(
      { status, messages, errorCode, param, fieldErrors, requestId, retryAfterMs },
      context,
    );
    return { error, retryable: isRetryable(status), retryAfterMs };
  }

  const parsed = schema.safeParse(json);
  if (parsed.success) return { data: parsed.data };
  const where = parsed.error.issues.map((issue) => issue.path.join(".") || "the whole response");
  return invalidResponseFailure(`the response does not match the contract at ${where.join(", ")}`);
}

/** Returns undefined for invalid JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function connectionFailure(
  transport: Transport,
  call: { signal?: AbortSignal | undefined },
  timeout: AbortSignal,
  cause: unknown,
  context: CallContext,
): Failure {
  if (call.signal?.aborted) {
    return { error: abortedError(context, cause), retryable: false, retryAfterMs: null };
  }
  const error = timeout.aborted
    ? new TillgateConnectionError("timeout", `no response within ${transport.timeoutMs} ms`, context)
    : new TillgateConnectionError(
        "network",
        `no connection (${transport.mask(errorMessage(cause))})`,
        context,
        cause,
      );
  return { error, retryable: true, retryAfterMs: null };
}

/** Prefers the message of the error's own cause, because fetch's message is only "fetch failed". */
function errorMessage(cause: unknown): string {
  if (!(cause instanceof Error)) return "unknown";
  return cause.cause instanceof Error ? cause.cause.message || cause.cause.name : cause.message;
}
