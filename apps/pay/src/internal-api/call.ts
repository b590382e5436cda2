import { CHECKOUT_PATH, type CheckoutReason, checkoutReasonSchema } from "@tillgate/contract";
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

export type Caller = {
  address: string;
  /** Visitor token; empty for a caller without cookies. */
  visitor: string;
  session: string | null;
  device: string | null;
  witness: string | null;
  /** The User-Agent, shown to the shopper in the list of sessions. */
  browser: string;
};

export type Rejected = {
  ok: false;
  reason: CheckoutReason;
  waitSeconds: number | null;
  missing: string | null;
  fields: string[];
};
export type Outcome<T> = { ok: true; data: T } | Rejected;

export const createHeaders = (caller: Caller): Headers =>
  createCallerHeaders(config().internalKey, caller, {
    "X-Tillgate-Visitor": caller.visitor,
    "X-Tillgate-Wallet-Session": caller.session,
    "X-Tillgate-Device": caller.device,
    "X-Tillgate-Witness": caller.witness,
  });

/** Sends a GET request to the API. @returns the response, whatever its status @throws ApiUnreachable */
export const request = (path: string, init: { headers: Headers; signal?: AbortSignal }): Promise<Response> =>
  callApi(config(), path, { signal: AbortSignal.timeout(config().apiTimeoutMs), ...init });

/** Reads an object by its path; null if the object does not exist. @throws ApiUnreachable, also for any other error response */
export async function find<T>(
  path: string,
  caller: Caller,
  schema: z.ZodType<{ data: T }>,
): Promise<T | null> {
  const response = await callJson(config(), `${CHECKOUT_PATH}${path}`, createHeaders(caller));
  return response.status === 404 ? null : readData(response, schema);
}

/** Makes a JSON call: POST if `fields` are given, otherwise GET. @throws ApiUnreachable, also for an error response without a known reason */
export async function call<T>(
  path: string,
  caller: Caller,
  schema: z.ZodType<{ data: T }>,
  fields?: object,
): Promise<Outcome<T>> {
  const response = await callJson(config(), path, createHeaders(caller), fields);
  return response.ok ? { ok: true, data: await readData(response, schema) } : toRejected(response);
}

async function toRejected(response: Response): Promise<Rejected> {
  const { reason, fields, missing, waitSeconds } = await readError(response);
  const known = checkoutReasonSchema.safeParse(reason).data;
  if (known === undefined && response.status !== 429)
    throw new ApiUnreachable(`The API returned ${response.status} without a known reason`);
  return {
    ok: false,
    reason: known ?? "too_many_attempts",
    waitSeconds: waitSeconds || null,
    missing,
    fields: Object.keys(fields),
  };
}
