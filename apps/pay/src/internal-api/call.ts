import {
  CHECKOUT_PATH,
  type CheckoutReason,
  checkoutReasonSchema,
  receivedErrorSchema,
} from "@tillgate/contract";
import { z } from "zod";
import { config } from "#config.ts";

/** The visitor: the shopper's address and the secrets of the page's cookies. */
export type Caller = {
  address: string;
  /** Empty for a caller that no cookie tells apart. */
  visitor: string;
  session: string | null;
  device: string | null;
  witness: string | null;
  /** What the browser calls itself, so that its owner knows it again in a list. */
  browser: string;
};

/** The api did not answer in time, or sent no answer of the checkout edge. */
export class ApiUnreachable extends Error {
  override readonly name = "ApiUnreachable";
}

/** A refusal of the api, the seconds until another try, the missing money and the fields to correct, where it says so. */
export type Refused = {
  ok: false;
  reason: CheckoutReason;
  waitSeconds: number | null;
  missing: string | null;
  fields: string[];
};
export type Outcome<T> = { ok: true; data: T } | Refused;

/** Reads what an address names; null where it names nothing. */
export async function find<T>(
  path: string,
  caller: Caller,
  schema: z.ZodType<{ data: T }>,
): Promise<T | null> {
  const signal = AbortSignal.timeout(config().apiTimeoutMs);
  const url = `${config().apiOrigin}${CHECKOUT_PATH}${path}`;
  const response = await request(url, { headers: callerHeaders(caller), signal });
  return response.status === 404 ? null : answerOf(response, schema);
}

export async function answerOf<T>(response: Response, schema: z.ZodType<{ data: T }>): Promise<T> {
  const parsed = schema.safeParse(await response.json().catch(() => null));
  if (!response.ok || !parsed.success)
    throw new ApiUnreachable(`The api answered ${response.status}, or not as the contract says`);
  return parsed.data.data;
}

export function callerHeaders(caller: Caller): Headers {
  const headers = new Headers({
    "X-Tillgate-Internal-Key": config().internalKey,
    "X-Tillgate-Client-Address": caller.address,
    "X-Tillgate-Client-Browser": caller.browser,
  });
  if (caller.visitor !== "") headers.set("X-Tillgate-Visitor", caller.visitor);
  if (caller.session !== null) headers.set("X-Tillgate-Wallet-Session", caller.session);
  if (caller.device !== null) headers.set("X-Tillgate-Device", caller.device);
  if (caller.witness !== null) headers.set("X-Tillgate-Witness", caller.witness);
  return headers;
}

export async function request(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: "error", cache: "no-store" });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new ApiUnreachable(`The api cannot be reached: ${String(cause)}`, { cause: error });
  }
}

/** One JSON call: a GET without `fields`, a POST with them. */
export async function call<T>(
  url: string,
  caller: Caller,
  schema: z.ZodType<{ data: T }>,
  fields?: object,
): Promise<Outcome<T>> {
  const headers = callerHeaders(caller);
  const init: RequestInit = { headers, signal: AbortSignal.timeout(config().apiTimeoutMs) };
  if (fields !== undefined) {
    headers.set("Content-Type", "application/json");
    init.method = "POST";
    init.body = JSON.stringify(fields);
  }
  const response = await request(url, init);
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) return refusal(response, body);
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new ApiUnreachable("The api's answer is not the contract's");
  return { ok: true, data: parsed.data.data };
}

/** The part of a refusal that the page shows beside its own text. */
const missingSchema = z.object({ missing: z.string() });

const fieldsOf = (envelope: ReturnType<typeof receivedErrorSchema.safeParse>): string[] =>
  Object.keys((envelope.success && envelope.data.errors) || {});

function refusal(response: Response, body: unknown): Refused {
  const envelope = receivedErrorSchema.safeParse(body);
  const reason = checkoutReasonSchema.safeParse(envelope.success ? envelope.data.reason : undefined);
  const found = missingSchema.safeParse(body);
  const missing = found.success ? found.data.missing : null;
  const wait = Number(response.headers.get("retry-after"));
  const waitSeconds = Number.isInteger(wait) && wait > 0 ? wait : null;
  const said = { ok: false, waitSeconds, missing, fields: fieldsOf(envelope) } as const;
  if (reason.success) return { ...said, reason: reason.data };
  if (response.status === 429) return { ...said, reason: "too_many_attempts" };
  throw new ApiUnreachable(`The api answered ${response.status} without a reason`);
}
