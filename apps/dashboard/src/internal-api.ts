import { CONSOLE_PATH, parseRetryAfter, receivedErrorSchema, TIME_ZONE_HEADER } from "@tillgate/contract";
import type { z } from "zod";
import { config } from "./config";

/** Who asks: the person's address and browser, the session of the cookie, and whose clock days and times are read by. */
export type Caller = { address: string; browser: string; session: string | null; timeZone: string };

/** The api did not answer in time, or sent no answer of the console edge. */
export class ApiUnreachable extends Error {
  override readonly name = "ApiUnreachable";
  /** The refusal's code, where the api said why it cannot answer. */
  readonly code: string | undefined;

  constructor(message: string, { code, ...options }: ErrorOptions & { code?: string } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** The api refused. `fields` has its sentences by field, for a wrong form. */
export class EdgeRefusal extends Error {
  override readonly name = "EdgeRefusal";
  constructor(
    readonly status: number,
    readonly code: string,
    readonly fields: Readonly<Record<string, string[]>>,
    readonly waitSeconds: number | null,
  ) {
    super(`The api refused: ${code}`);
  }
}

type Query = Readonly<Record<string, string | undefined>>;

/** Reads. @throws EdgeRefusal, ApiUnreachable. */
export const read = <T>(
  caller: Caller,
  path: string,
  schema: z.ZodType<{ data: T }>,
  query: Query = {},
): Promise<T> => call(caller, withQuery(path, query), schema);

/** Changes something. @throws EdgeRefusal, ApiUnreachable. */
export const change = <T>(
  caller: Caller,
  path: string,
  schema: z.ZodType<{ data: T }>,
  fields: object = {},
): Promise<T> => call(caller, path, schema, fields);

/** Opens a file of the api, which is passed on as it comes; `signal` ends it. @throws EdgeRefusal, ApiUnreachable. */
export async function openFile(
  caller: Caller,
  path: string,
  query: Query,
  signal: AbortSignal,
): Promise<Response> {
  const response = await request(withQuery(path, query), { headers: headersOf(caller), signal });
  if (!response.ok) throw await refusalOf(response);
  return response;
}

function withQuery(path: string, query: Query): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) given.set(name, value);
  return given.size === 0 ? path : `${path}?${given}`;
}

function headersOf({ address, browser, session, timeZone }: Caller): Headers {
  const headers = new Headers({
    "X-Tillgate-Internal-Key": config().consoleKey,
    "X-Tillgate-Client-Address": address,
    "X-Tillgate-Client-Browser": browser,
    [TIME_ZONE_HEADER]: timeZone,
  });
  if (session !== null) headers.set("X-Tillgate-Console-Session", session);
  return headers;
}

async function request(path: string, init: RequestInit): Promise<Response> {
  try {
    const url = `${config().apiOrigin}${CONSOLE_PATH}${path}`;
    return await fetch(url, { ...init, redirect: "error", cache: "no-store" });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new ApiUnreachable(`The api cannot be reached: ${String(cause)}`, { cause: error });
  }
}

async function call<T>(
  caller: Caller,
  path: string,
  schema: z.ZodType<{ data: T }>,
  fields?: object,
): Promise<T> {
  const headers = headersOf(caller);
  const init: RequestInit = { headers, signal: AbortSignal.timeout(config().apiTimeoutMs) };
  if (fields !== undefined) {
    headers.set("Content-Type", "application/json");
    init.method = "POST";
    init.body = JSON.stringify(fields);
  }
  const response = await request(path, init);
  if (!response.ok) throw await refusalOf(response);
  const parsed = schema.safeParse(await response.json().catch(() => null));
  if (!parsed.success) throw new ApiUnreachable("The api's answer is not the contract's");
  return parsed.data.data;
}

async function refusalOf(response: Response): Promise<EdgeRefusal | ApiUnreachable> {
  const body = receivedErrorSchema.safeParse(await response.json().catch(() => null));
  if (!body.success) return new ApiUnreachable(`The api answered ${response.status}`);
  const { error_code: code = "", errors = {} } = body.data;
  if (response.status >= 500) return new ApiUnreachable(`The api answered ${response.status}`, { code });
  const waitMs = parseRetryAfter(response.headers.get("retry-after"), Date.now());
  return new EdgeRefusal(
    response.status,
    code,
    errors,
    waitMs === undefined ? null : Math.ceil(waitMs / 1000),
  );
}
