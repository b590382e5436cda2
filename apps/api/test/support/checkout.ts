import { randomBytes } from "node:crypto";
import {
  CHECKOUT_PATH,
  type CheckoutQuote,
  type CheckoutView,
  checkoutActionResponseSchema,
  checkoutQuoteResponseSchema,
  checkoutViewSchema,
  type PayRequest,
  signInResponseSchema,
  successEnvelope,
} from "@tillgate/contract";
import { expect } from "vitest";
import type { z } from "zod";
import { INTERNAL_KEY } from "./api-process.js";
import { type ApiResponse, send } from "./requests.js";

export type Action =
  | "pay"
  | "cancel"
  | "sign-out"
  | "sandbox-approve"
  | "sandbox-decline"
  | "sandbox-sign-in";

/** The payment page of one order in one browser: the requests that apps/pay sends for it. */
export type CheckoutPage = {
  address: string;
  visitor: string;
  session: string | undefined;
  /** Cookies of this browser: the trusted device, and the proof that the browser saw the order pending. */
  device: string | undefined;
  witness: string | undefined;
  headers(): Record<string, string>;
  viewResponse(): Promise<ApiResponse>;
  view(): Promise<CheckoutView>;
  /** Submits an action's form. @param formToken default: the page's current form token */
  act(action: Action, formToken?: string): Promise<ApiResponse>;
  /**
   * Submits the payment form. Stores the new session if the API rotates it.
   * @param fields for example a quote, a PIN or a passkey signature
   */
  pay(fields?: Partial<PayRequest>): Promise<ApiResponse>;
  form(step: string, fields?: object): Promise<ApiResponse>;
  quoteResponse(walletId: string, formToken?: string): Promise<ApiResponse>;
  quote(walletId: string): Promise<CheckoutQuote>;
  signInResponse(identifier: string, pin: string, formToken?: string, stay?: boolean): Promise<ApiResponse>;
  /** Signs in, and stores the session and the device token, which the page stores as cookies. */
  signIn(identifier: string, pin: string, stay?: boolean): Promise<SignInResult>;
};

export type PageOptions = { visitor?: string; session?: string; device?: string; clientAddress?: string };

const viewResponseSchema = successEnvelope(checkoutViewSchema.strict()).strict();
const actionSchema = successEnvelope(checkoutActionResponseSchema.strict()).strict();
const quoteSchema = successEnvelope(checkoutQuoteResponseSchema.strict()).strict();
const signInSchema = successEnvelope(signInResponseSchema.strict()).strict();
type SignInResult = z.infer<typeof signInResponseSchema>;

export function openPage({ url }: { url: string }, token: string, options: PageOptions = {}): CheckoutPage {
  const address = `${url}${CHECKOUT_PATH}/orders/${token}`;
  const clientAddress = options.clientAddress ?? `test-${randomBytes(4).toString("hex")}`;
  const post = (step: string, fields: unknown) =>
    send(`${address}/${step}`, {
      method: "POST",
      headers: { ...page.headers(), "content-type": "application/json" },
      body: JSON.stringify(fields),
    });
  const page: CheckoutPage = {
    address,
    visitor: options.visitor ?? randomBytes(16).toString("hex"),
    session: options.session,
    device: options.device,
    witness: undefined,
    headers: () => ({
      "x-tillgate-internal-key": INTERNAL_KEY,
      "x-tillgate-client-address": clientAddress,
      "x-tillgate-visitor": page.visitor,
      ...(page.session ? { "x-tillgate-wallet-session": page.session } : {}),
      ...(page.device ? { "x-tillgate-device": page.device } : {}),
      ...(page.witness ? { "x-tillgate-witness": page.witness } : {}),
    }),
    viewResponse: () => send(address, { headers: page.headers() }),
    async view() {
      const { body, status, text } = await page.viewResponse();
      expect({ status, text }).toMatchObject({ status: 200 });
      const view = viewResponseSchema.parse(body).data;
      if (view.witness) page.witness = view.witness.token;
      return view;
    },
    act: async (action, formToken) =>
      post(action, { form_token: formToken ?? (await page.view()).form_token }),
    async pay(fields = {}) {
      const form_token = fields.form_token ?? (await page.view()).form_token;
      const response = await post("pay", { ...fields, form_token });
      if (response.status !== 200) return response;
      const renewed = actionSchema.parse(response.body).data.renewed_session;
      if (renewed) page.session = renewed.session;
      return response;
    },
    form: async (step, fields = {}) => post(step, { ...fields, form_token: (await page.view()).form_token }),
    quoteResponse: async (walletId, formToken) =>
      post("quotes", { form_token: formToken ?? (await page.view()).form_token, wallet_id: walletId }),
    async quote(walletId) {
      const { status, text, body } = await page.quoteResponse(walletId);
      expect({ status, text }).toMatchObject({ status: 200 });
      return quoteSchema.parse(body).data.quote;
    },
    signInResponse: async (identifier, pin, formToken, stay) =>
      post("sign-in", {
        form_token: formToken ?? (await page.view()).form_token,
        identifier,
        pin,
        stay_signed_in: stay,
      }),
    async signIn(identifier, pin, stay) {
      const { status, text, body } = await page.signInResponse(identifier, pin, undefined, stay);
      expect({ status, text }).toMatchObject({ status: 200 });
      const response = signInSchema.parse(body).data;
      page.session = response.session;
      page.device = response.device.token;
      return response;
    },
  };
  return page;
}
