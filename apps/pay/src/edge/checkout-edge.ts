import {
  CHECKOUT_PATH,
  type CheckoutReason,
  type CheckoutStatus,
  type CheckoutView,
  checkoutActionAnswerSchema,
  checkoutReasonSchema,
  checkoutViewSchema,
  errorEnvelopeSchema,
  signInAnswerSchema,
  successEnvelope,
} from "@tillgate/contract";
import { z } from "zod";
import { config } from "../config";

/** Who asks: the shopper's address and the two secrets of the page's cookies. */
export interface Caller {
  address: string;
  visitor: string;
  session: string | null;
}

/** The api did not answer in time, or answered something that is no answer of the checkout edge. */
export class ApiUnreachable extends Error {
  override readonly name = "ApiUnreachable";
}

/** What the api refused, and the seconds after which it may be tried again where it said so. */
export interface Refused {
  ok: false;
  reason: CheckoutReason;
  waitSeconds: number | null;
}
export type Outcome<T> = { ok: true; data: T } | Refused;

/** The steps that a form of the page asks for, by their name in the address of both page and api. */
export const plainSteps = ["sign-out", "pay", "cancel", "sandbox-approve", "sandbox-decline"] as const;
export type PlainStep = (typeof plainSteps)[number];

const viewAnswer = successEnvelope(checkoutViewSchema);
const actionAnswer = successEnvelope(checkoutActionAnswerSchema);
const signInAnswer = successEnvelope(signInAnswerSchema);
const signOutAnswer = successEnvelope(z.unknown());

/** All that the page shows of the order behind a payment token. */
export async function readView(token: string, caller: Caller): Promise<Outcome<CheckoutView>> {
  return call(token, "", caller, viewAnswer);
}

/** The order's status alone, for the polling fallback. */
export async function readStatus(token: string, caller: Caller): Promise<Outcome<CheckoutStatus>> {
  const view = await readView(token, caller);
  if (!view.ok) return view;
  const { order, expires_in_ms } = view.data;
  return { ok: true, data: { status: order.status, version: order.version, expires_in_ms } };
}

export interface SignInFields {
  form_token: string;
  identifier: string;
  pin: string;
}

/** Opens a wallet session. */
export async function signIn(token: string, caller: Caller, fields: SignInFields) {
  return call(token, "/sign-in", caller, signInAnswer, fields);
}

/** Takes one step that needs nothing but the form's token. */
export async function takeStep(
  token: string,
  step: PlainStep,
  caller: Caller,
  formToken: string,
): Promise<Outcome<unknown>> {
  const fields = { form_token: formToken };
  if (step === "sign-out") return call(token, "/sign-out", caller, signOutAnswer, fields);
  return call(token, `/${step}`, caller, actionAnswer, fields);
}

/** Opens the order's event stream at the api. The answer is passed on as it is; `signal` ends it. */
export async function openEvents(
  token: string,
  caller: Caller,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const headers = callerHeaders(caller);
  headers.set("Accept", "text/event-stream");
  if (lastEventId !== undefined) headers.set("Last-Event-ID", lastEventId);
  return request(address(token, "/events"), { headers, signal });
}

const address = (token: string, step: string): string =>
  `${config().apiOrigin}${CHECKOUT_PATH}/orders/${encodeURIComponent(token)}${step}`;

function callerHeaders(caller: Caller): Headers {
  const headers = new Headers({
    "X-Tillgate-Internal-Key": config().internalKey,
    "X-Tillgate-Client-Address": caller.address,
    "X-Tillgate-Visitor": caller.visitor,
  });
  if (caller.session !== null) headers.set("X-Tillgate-Wallet-Session", caller.session);
  return headers;
}

async function request(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: "error", cache: "no-store" });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new ApiUnreachable(`The api cannot be reached: ${String(cause)}`, { cause: error });
  }
}

/** One JSON call: a GET without `fields`, a POST with them. */
async function call<T>(
  token: string,
  step: string,
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
  const response = await request(address(token, step), init);
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) return refusal(response, body);
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new ApiUnreachable(`The api's answer to ${step || "/"} is not the contract's`);
  return { ok: true, data: parsed.data.data };
}

function refusal(response: Response, body: unknown): Refused {
  const envelope = errorEnvelopeSchema.safeParse(body);
  const reason = checkoutReasonSchema.safeParse(envelope.success ? envelope.data.reason : undefined);
  const wait = Number(response.headers.get("retry-after"));
  const waitSeconds = Number.isInteger(wait) && wait > 0 ? wait : null;
  if (reason.success) return { ok: false, reason: reason.data, waitSeconds };
  if (response.status === 429) return { ok: false, reason: "too_many_attempts", waitSeconds };
  throw new ApiUnreachable(`The api answered ${response.status} without a reason`);
}
