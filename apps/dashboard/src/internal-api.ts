import { CONSOLE_PATH, TIME_ZONE_HEADER } from "@tillgate/contract";
import {
  ApiUnreachable,
  callApi,
  callJson,
  createCallerHeaders,
  readData,
  readError,
} from "@tillgate/service/web/internal-api";
import type { z } from "zod";
import { config } from "#config.ts";

export { ApiUnreachable } from "@tillgate/service/web/internal-api";

/** The visitor's address, browser and session token, and the time zone of days and times. */
export type Caller = { address: string; browser: string; session: string | null; timeZone: string };

/** An error from the API. For an invalid form, `fields` has the messages by field. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly status: number,
    readonly code: string,
    readonly fields: Readonly<Record<string, string[]>>,
    readonly waitSeconds: number | null,
  ) {
    super(`The API returned the error ${code}`);
  }
}

export type Query = Readonly<Record<string, string | undefined>>;

export type ResponseSchema<T> = z.ZodType<{ data: T }>;

/** Sends a GET request. @throws ApiError, ApiUnreachable */
export const read = <T>(
  caller: Caller,
  path: string,
  schema: ResponseSchema<T>,
  query: Query = {},
): Promise<T> => call(caller, withQuery(path, query), schema);

/** Sends a POST request. @throws ApiError, ApiUnreachable */
export const change = <T>(
  caller: Caller,
  path: string,
  schema: ResponseSchema<T>,
  fields: object = {},
): Promise<T> => call(caller, path, schema, fields);

/** Opens a file as a stream; `signal` aborts it. @throws ApiError, ApiUnreachable */
export async function openFile(
  caller: Caller,
  path: string,
  query: Query,
  signal: AbortSignal,
): Promise<Response> {
  const init = { headers: createHeaders(caller), signal };
  const response = await callApi(config(), CONSOLE_PATH + withQuery(path, query), init);
  if (!response.ok) throw await toApiError(response);
  return response;
}

function withQuery(path: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) parameters.set(name, value);
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

const createHeaders = (caller: Caller): Headers =>
  createCallerHeaders(config().consoleKey, caller, {
    "X-Tillgate-Console-Session": caller.session,
    [TIME_ZONE_HEADER]: caller.timeZone,
  });

async function call<T>(caller: Caller, path: string, schema: ResponseSchema<T>, fields?: object): Promise<T> {
  const response = await callJson(config(), CONSOLE_PATH + path, createHeaders(caller), fields);
  if (!response.ok) throw await toApiError(response);
  return readData(response, schema);
}

async function toApiError(response: Response): Promise<ApiError | ApiUnreachable> {
  const { status, code, fields, waitSeconds } = await readError(response);
  if (code === undefined || status >= 500)
    return new ApiUnreachable(`The API responded with status ${status}`, { code });
  return new ApiError(status, code, fields, waitSeconds);
}
