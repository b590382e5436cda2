import { parseRetryAfter, receivedErrorSchema } from "@tillgate/contract";
import type { z } from "zod";
import { traceparent } from "../tracing.js";

export type InternalApi = { apiOrigin: string; apiTimeoutMs: number };

/** Thrown if the API is unreachable, does not respond in time, or sends an unexpected response. */
export class ApiUnreachable extends Error {
  override readonly name = "ApiUnreachable";
  /** The error code; undefined if the API sent no code. */
  readonly code: string | undefined;

  constructor(message: string, { code, ...options }: ErrorOptions & { code?: string | undefined } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** `code` is undefined if the response has no error envelope, and empty if the envelope has no code. */
export type ReceivedError = {
  status: number;
  code: string | undefined;
  reason: string | undefined;
  /** Messages by field. */
  fields: Readonly<Record<string, string[]>>;
  missing: string | null;
  waitSeconds: number | null;
};

/** Creates the headers of a call on behalf of a visitor. @param values header values by name; null and empty strings are not sent. */
export function createCallerHeaders(
  key: string,
  { address, browser }: { address: string; browser: string },
  values: Readonly<Record<string, string | null>>,
): Headers {
  const headers = new Headers({
    "X-Tillgate-Internal-Key": key,
    "X-Tillgate-Client-Address": address,
    "X-Tillgate-Client-Browser": browser,
  });
  for (const [name, value] of Object.entries(values)) if (value) headers.set(name, value);
  return headers;
}

/** Calls a path of the API, as part of the current trace. @throws ApiUnreachable if there is no response, or a redirect. */
export async function callApi(
  { apiOrigin }: InternalApi,
  path: string,
  init: RequestInit & { headers: Headers },
): Promise<Response> {
  const trace = traceparent();
  if (trace !== null) init.headers.set("traceparent", trace);
  try {
    return await fetch(`${apiOrigin}${path}`, { ...init, redirect: "error", cache: "no-store" });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new ApiUnreachable(`The API is unreachable: ${String(cause)}`, { cause: error });
  }
}

/** Makes a JSON call: POST if `fields` are given, otherwise GET. @throws ApiUnreachable if there is no response in time, or a redirect. */
export function callJson(
  api: InternalApi,
  path: string,
  headers: Headers,
  fields?: object,
): Promise<Response> {
  const init: RequestInit & { headers: Headers } = { headers, signal: AbortSignal.timeout(api.apiTimeoutMs) };
  if (fields !== undefined) {
    headers.set("Content-Type", "application/json");
    init.method = "POST";
    init.body = JSON.stringify(fields);
  }
  return callApi(api, path, init);
}

/** Reads the data of a success response. @throws ApiUnreachable for an error response, or a response that does not match the schema. */
export async function readData<T>(response: Response, schema: z.ZodType<{ data: T }>): Promise<T> {
  const parsed = schema.safeParse(await response.json().catch(() => null));
  if (!response.ok || !parsed.success)
    throw new ApiUnreachable(
      `The API returned an error, or a response that does not match the contract (HTTP ${response.status})`,
    );
  return parsed.data.data;
}

export async function readError(response: Response): Promise<ReceivedError> {
  const { data: envelope } = receivedErrorSchema.safeParse(await response.json().catch(() => null));
  const waitMs = parseRetryAfter(response.headers.get("retry-after"), Date.now());
  return {
    status: response.status,
    code: envelope && (envelope.error_code ?? ""),
    reason: envelope?.reason,
    fields: envelope?.errors ?? {},
    missing: envelope?.missing ?? null,
    waitSeconds: waitMs === undefined ? null : Math.ceil(waitMs / 1000),
  };
}
