import {
  type AddPasskeyRequest,
  CHECKOUT_PATH,
  type CheckoutEmbed,
  type CheckoutLink,
  type CheckoutStatus,
  type CheckoutTill,
  type CheckoutView,
  checkoutActionResponseSchema,
  checkoutEmbedSchema,
  checkoutLinkOrderResponseSchema,
  checkoutLinkSchema,
  checkoutQuoteResponseSchema,
  checkoutStatusSchema,
  checkoutTillSchema,
  checkoutViewSchema,
  type PayRequest,
  passkeyOptionsResponseSchema,
  type SignInRequest,
  signInResponseSchema,
  successEnvelope,
} from "@tillgate/contract";
import { callJson, readData } from "@tillgate/service/web/internal-api";
import { z } from "zod";
import { config } from "#config.ts";
import { type Caller, call, createHeaders, find, type Outcome, request } from "./call";

export { ApiUnreachable } from "@tillgate/service/web/internal-api";
export type { Caller, Outcome, Rejected } from "./call";

/** Steps whose request body is only the form token, named as in the paths of the page and the API. */
export const plainSteps = ["sign-out", "cancel", "sandbox-approve", "sandbox-decline"] as const;
export type PlainStep = (typeof plainSteps)[number];

const viewResponse = successEnvelope(checkoutViewSchema);
const embedResponse = successEnvelope(checkoutEmbedSchema);
const statusResponse = successEnvelope(checkoutStatusSchema);
const actionResponse = successEnvelope(checkoutActionResponseSchema);
const quoteResponse = successEnvelope(checkoutQuoteResponseSchema);
const signInResponse = successEnvelope(signInResponseSchema);
const tillResponse = successEnvelope(checkoutTillSchema);
const linkResponse = successEnvelope(checkoutLinkSchema);
const signOutResponse = successEnvelope(z.unknown());

export type SignedIn = z.infer<typeof signInResponseSchema>;
export type WalletSession = Pick<SignedIn, "session" | "max_age_seconds">;

/** Reads everything that the page shows about an order. */
export async function readView(token: string, caller: Caller): Promise<Outcome<CheckoutView>> {
  return call(orderPath(token, ""), caller, viewResponse);
}

export async function readStatus(token: string, caller: Caller): Promise<Outcome<CheckoutStatus>> {
  return call(orderPath(token, "/status"), caller, statusResponse);
}

export async function signIn(token: string, caller: Caller, fields: SignInRequest) {
  return call(orderPath(token, "/sign-in"), caller, signInResponse, fields);
}

/** Opens a wallet session for the sandbox's test shopper, who needs no PIN. */
export async function signInTestShopper(token: string, caller: Caller, formToken: string) {
  return call(orderPath(token, "/sandbox-sign-in"), caller, signInResponse, { form_token: formToken });
}

/** Quotes the amount that a wallet in another currency would be debited for the order. */
export async function quote(
  token: string,
  caller: Caller,
  fields: { form_token: string; wallet_id: string },
) {
  return call(orderPath(token, "/quotes"), caller, quoteResponse, fields);
}

/** Pays the order from one of the shopper's wallets. A repeated call pays only once. */
export async function pay(token: string, caller: Caller, fields: PayRequest) {
  return call(orderPath(token, "/pay"), caller, actionResponse, fields);
}

/** Requests the passkey challenge for confirming a payment or adding a passkey. The API validates the fields. */
export async function requestPasskeyOptions(
  token: string,
  caller: Caller,
  { use, fields }: { use: "confirm" | "add"; fields: object },
) {
  const path = use === "add" ? "/passkeys/start" : "/passkey/start";
  return call(orderPath(token, path), caller, passkeyOptionsResponseSchema, fields);
}

export async function addPasskey(token: string, caller: Caller, fields: AddPasskeyRequest) {
  return call(orderPath(token, "/passkeys"), caller, actionResponse, fields);
}

/** Takes a step that needs only the form token. @returns the outcome, with the renewed session if any */
export async function takeStep(
  token: string,
  step: PlainStep,
  caller: Caller,
  formToken: string,
): Promise<Outcome<{ renewed_session: WalletSession | null }>> {
  const fields = { form_token: formToken };
  if (step !== "sign-out") return call(orderPath(token, `/${step}`), caller, actionResponse, fields);
  const outcome = await call(orderPath(token, "/sign-out"), caller, signOutResponse, fields);
  return outcome.ok ? { ok: true, data: { renewed_session: null } } : outcome;
}

/** Reads what an embedded frame shows about an order, and which origins may embed it. */
export async function readEmbed(token: string, caller: Caller): Promise<Outcome<CheckoutEmbed>> {
  return call(orderPath(token, "/embed"), caller, embedResponse);
}

export const embedSteps = ["sandbox-approve", "sandbox-decline"] as const;
export type EmbedStep = (typeof embedSteps)[number];

export async function takeEmbedStep(token: string, step: EmbedStep, caller: Caller, formToken: string) {
  return call(orderPath(token, `/embed/${step}`), caller, actionResponse, { form_token: formToken });
}

/** Opens the order's event stream at the API; `signal` aborts it. @returns the API's response, whatever its status @throws ApiUnreachable */
export async function openEvents(
  token: string,
  caller: Caller,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const headers = createHeaders(caller);
  headers.set("Accept", "text/event-stream");
  if (lastEventId !== undefined) headers.set("Last-Event-ID", lastEventId);
  return request(orderPath(token, "/events"), { headers, signal });
}

/** Requests a merchant's logo by its hash. @returns the API's response: the image, 304, 404 or another error @throws ApiUnreachable */
export async function openLogo(
  id: string,
  caller: Caller,
  ifNoneMatch: string | undefined,
): Promise<Response> {
  const headers = createHeaders(caller);
  if (ifNoneMatch !== undefined) headers.set("If-None-Match", ifNoneMatch);
  return request(`${CHECKOUT_PATH}/logos/${id}`, { headers });
}

/** Reads a till and its open order. @param token of the till's printed QR code @returns null if the token is unknown @throws ApiUnreachable */
export const readTill = (token: string, caller: Caller): Promise<CheckoutTill | null> =>
  find(`/tills/${encodeURIComponent(token)}`, caller, tillResponse);

/** Reads a payment link. @returns null if the token is unknown @throws ApiUnreachable */
export const readLink = (token: string, caller: Caller): Promise<CheckoutLink | null> =>
  find(`/links/${encodeURIComponent(token)}`, caller, linkResponse);

export type LinkOrderResult =
  | { outcome: "created"; paymentUrl: string }
  | { outcome: "wrong_amount" | "not_open" | "rate_limited" | "not_found" };

const LINK_ERRORS: Readonly<Record<number, Exclude<LinkOrderResult["outcome"], "created">>> = {
  400: "wrong_amount",
  403: "not_open",
  404: "not_found",
  409: "not_open",
  429: "rate_limited",
};

/**
 * Creates the visitor's order through a payment link, or finds the order in progress.
 * @throws ApiUnreachable
 * @param amount decimal string, for a link with an open amount
 */
export async function createLinkOrder(
  token: string,
  caller: Caller,
  amount: string | undefined,
): Promise<LinkOrderResult> {
  const path = `${CHECKOUT_PATH}/links/${encodeURIComponent(token)}/orders`;
  const response = await callJson(config(), path, createHeaders(caller), { amount });
  const error = LINK_ERRORS[response.status];
  if (error !== undefined) return { outcome: error };
  const { payment_url } = await readData(response, checkoutLinkOrderResponseSchema);
  return { outcome: "created", paymentUrl: payment_url };
}

const orderPath = (token: string, step: string): string =>
  `${CHECKOUT_PATH}/orders/${encodeURIComponent(token)}${step}`;
