import {
  type AddPasskeyRequest,
  CHECKOUT_PATH,
  type CheckoutEmbed,
  type CheckoutLink,
  type CheckoutStatus,
  type CheckoutTill,
  type CheckoutView,
  checkoutActionAnswerSchema,
  checkoutEmbedSchema,
  checkoutLinkOrderAnswerSchema,
  checkoutLinkSchema,
  checkoutQuoteAnswerSchema,
  checkoutStatusSchema,
  checkoutTillSchema,
  checkoutViewSchema,
  type PayRequest,
  passkeyOptionsAnswerSchema,
  type SignInRequest,
  signInAnswerSchema,
  successEnvelope,
} from "@tillgate/contract";
import { callJson, dataOf } from "@tillgate/service/web/internal-api";
import { z } from "zod";
import { config } from "#config.ts";
import { type Caller, call, find, headersOf, type Outcome, request } from "./call";

export { ApiUnreachable } from "@tillgate/service/web/internal-api";
export type { Caller, Outcome, Refused } from "./call";

/** The steps whose form needs only the token, by their name in the address of page and api. */
export const plainSteps = ["sign-out", "cancel", "sandbox-approve", "sandbox-decline"] as const;
export type PlainStep = (typeof plainSteps)[number];

const viewAnswer = successEnvelope(checkoutViewSchema);
const embedAnswer = successEnvelope(checkoutEmbedSchema);
const statusAnswer = successEnvelope(checkoutStatusSchema);
const actionAnswer = successEnvelope(checkoutActionAnswerSchema);
const quoteAnswer = successEnvelope(checkoutQuoteAnswerSchema);
const signInAnswer = successEnvelope(signInAnswerSchema);
const tillAnswer = successEnvelope(checkoutTillSchema);
const linkAnswer = successEnvelope(checkoutLinkSchema);
const signOutAnswer = successEnvelope(z.unknown());

/** What a sign-in stores in the browser. */
export type SignedIn = z.infer<typeof signInAnswerSchema>;
/** A wallet session and how long its cookie may live. */
export type WalletSession = Pick<SignedIn, "session" | "max_age_seconds">;

/** All that the page shows of the order behind a payment token. */
export async function readView(token: string, caller: Caller): Promise<Outcome<CheckoutView>> {
  return call(orderPath(token, ""), caller, viewAnswer);
}

/** The order's status alone, for the polling fallback. */
export async function readStatus(token: string, caller: Caller): Promise<Outcome<CheckoutStatus>> {
  return call(orderPath(token, "/status"), caller, statusAnswer);
}

/** Opens a wallet session. */
export async function signIn(token: string, caller: Caller, fields: SignInRequest) {
  return call(orderPath(token, "/sign-in"), caller, signInAnswer, fields);
}

/** Opens a wallet session of the sandbox's open shopper, who needs no PIN. */
export async function signInOpenly(token: string, caller: Caller, formToken: string) {
  return call(orderPath(token, "/sandbox-sign-in"), caller, signInAnswer, { form_token: formToken });
}

/** Fixes the price from a wallet in another currency. */
export async function quote(
  token: string,
  caller: Caller,
  fields: { form_token: string; wallet_id: string },
) {
  return call(orderPath(token, "/quotes"), caller, quoteAnswer, fields);
}

/** Pays. Repeating it pays nothing a second time. */
export async function pay(token: string, caller: Caller, fields: PayRequest) {
  return call(orderPath(token, "/pay"), caller, actionAnswer, fields);
}

/** What a passkey is to sign: to confirm a payment, or to be added. The api judges the fields. */
export async function askForPasskey(
  token: string,
  caller: Caller,
  { use, fields }: { use: "confirm" | "add"; fields: object },
) {
  const path = use === "add" ? "/passkeys/start" : "/passkey/start";
  return call(orderPath(token, path), caller, passkeyOptionsAnswerSchema, fields);
}

/** Adds a passkey that the browser has made. */
export async function addPasskey(token: string, caller: Caller, fields: AddPasskeyRequest) {
  return call(orderPath(token, "/passkeys"), caller, actionAnswer, fields);
}

/** Takes one step that needs nothing but the form's token. @returns the session to keep from now on, if it changed. */
export async function takeStep(
  token: string,
  step: PlainStep,
  caller: Caller,
  formToken: string,
): Promise<Outcome<{ renewed_session: WalletSession | null }>> {
  const fields = { form_token: formToken };
  if (step !== "sign-out") return call(orderPath(token, `/${step}`), caller, actionAnswer, fields);
  const outcome = await call(orderPath(token, "/sign-out"), caller, signOutAnswer, fields);
  return outcome.ok ? { ok: true, data: { renewed_session: null } } : outcome;
}

/** All that a frame in the shop's page shows of an order, and which pages may frame it. */
export async function readEmbed(token: string, caller: Caller): Promise<Outcome<CheckoutEmbed>> {
  return call(orderPath(token, "/embed"), caller, embedAnswer);
}

/** The test buttons of such a frame. */
export const embedSteps = ["sandbox-approve", "sandbox-decline"] as const;
export type EmbedStep = (typeof embedSteps)[number];

/** Takes one of them. */
export async function takeEmbedStep(token: string, step: EmbedStep, caller: Caller, formToken: string) {
  return call(orderPath(token, `/embed/${step}`), caller, actionAnswer, { form_token: formToken });
}

/** Opens the order's event stream at the api. The answer is passed on unchanged; `signal` ends it. */
export async function openEvents(
  token: string,
  caller: Caller,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const headers = headersOf(caller);
  headers.set("Accept", "text/event-stream");
  if (lastEventId !== undefined) headers.set("Last-Event-ID", lastEventId);
  return request(orderPath(token, "/events"), { headers, signal });
}

/** Asks for a merchant's logo by the hash of its bytes. The answer is passed on: the picture, 304 or 404. */
export async function openLogo(
  id: string,
  caller: Caller,
  ifNoneMatch: string | undefined,
): Promise<Response> {
  const headers = headersOf(caller);
  if (ifNoneMatch !== undefined) headers.set("If-None-Match", ifNoneMatch);
  return request(`${CHECKOUT_PATH}/logos/${id}`, { headers });
}

/** What the printed code of a till opens now; null: no till has it. @throws ApiUnreachable */
export const readTill = (token: string, caller: Caller): Promise<CheckoutTill | null> =>
  find(`/tills/${encodeURIComponent(token)}`, caller, tillAnswer);

/** What a payment link opens; null: there is no such link. @throws ApiUnreachable */
export const readLink = (token: string, caller: Caller): Promise<CheckoutLink | null> =>
  find(`/links/${encodeURIComponent(token)}`, caller, linkAnswer);

/** What became of the order that a visitor wants to make through a payment link. */
export type BegunLinkOrder =
  | { outcome: "begun"; paymentUrl: string }
  | { outcome: "wrong_amount" | "not_open" | "slow" | "not_found" };

/** The answers of the api that the page has words for. */
const LINK_ERRORS: Readonly<Record<number, Exclude<BegunLinkOrder["outcome"], "begun">>> = {
  400: "wrong_amount",
  403: "not_open",
  404: "not_found",
  409: "not_open",
  429: "slow",
};

/**
 * Makes the visitor's order of a payment link, or finds the one under way.
 * @param amount for a link that leaves it open, as typed.
 * @throws ApiUnreachable
 */
export async function beginLinkOrder(
  token: string,
  caller: Caller,
  amount: string | undefined,
): Promise<BegunLinkOrder> {
  const path = `${CHECKOUT_PATH}/links/${encodeURIComponent(token)}/orders`;
  const response = await callJson(config(), path, headersOf(caller), { amount });
  const refused = LINK_ERRORS[response.status];
  if (refused !== undefined) return { outcome: refused };
  const { payment_url } = await dataOf(response, checkoutLinkOrderAnswerSchema);
  return { outcome: "begun", paymentUrl: payment_url };
}

const orderPath = (token: string, step: string): string =>
  `${CHECKOUT_PATH}/orders/${encodeURIComponent(token)}${step}`;
