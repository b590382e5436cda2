import { randomBytes } from "node:crypto";
import {
  CHECKOUT_PATH,
  checkoutActionResponseSchema,
  checkoutViewSchema,
  signInResponseSchema,
  successEnvelope,
  WALLET_PATH,
  type WalletActivityPage,
  type WalletConversion,
  type WalletView,
  walletActivityPageSchema,
  walletConversionResponseSchema,
  walletTransferResponseSchema,
  walletViewSchema,
} from "@tillgate/contract";
import type { SandboxDescription } from "@tillgate/database/seed";
import type { z } from "zod";
import { TIMEOUT_MS } from "../api-clients.js";
import { ResponseError } from "./record.js";

export type Person = SandboxDescription["shoppers"][number];

export class ShopperBrowser {
  readonly #visitor = randomBytes(16).toString("hex");
  #session: string | undefined;
  #device: string | undefined;
  #formToken: string | undefined;

  constructor(
    readonly person: Person,
    private readonly nextOrigin: () => string,
    private readonly internalKey: string,
  ) {}

  async signIn(): Promise<void> {
    if (this.#formToken !== undefined) return;
    this.#session = undefined;
    const { form_token } = await this.#send("GET", WALLET_PATH, walletViewSchema);
    const { email, pin } = this.person;
    const signedIn = await this.#send("POST", `${WALLET_PATH}/sign-in`, signInResponseSchema, {
      form_token,
      identifier: email,
      pin,
      mode: "sandbox",
      stay_signed_in: true,
    });
    this.#session = signedIn.session;
    this.#device = signedIn.device.token;
    this.#formToken = (await this.view()).form_token;
  }

  async view(): Promise<WalletView> {
    const view = await this.#send("GET", WALLET_PATH, walletViewSchema);
    if (view.shopper === null) this.#formToken = undefined;
    return view;
  }

  activity = (currency: string, before?: string): Promise<WalletActivityPage> =>
    this.#send(
      "GET",
      `${WALLET_PATH}/activity?currency=${currency}${before === undefined ? "" : `&before=${before}`}`,
      walletActivityPageSchema,
    );

  /** Opens an order's page. @returns the page's form token. */
  async openOrder(token: string): Promise<string> {
    const view = await this.#send("GET", `${CHECKOUT_PATH}/orders/${token}`, checkoutViewSchema);
    return view.form_token;
  }

  async pay(token: string, formToken: string): Promise<void> {
    await this.#act(`${CHECKOUT_PATH}/orders/${token}/pay`, checkoutActionResponseSchema, {
      form_token: formToken,
      pin: this.person.pin,
    });
  }

  async topUp(currency: string, amount: string, key: string): Promise<void> {
    await this.#act(`${WALLET_PATH}/top-ups`, walletTransferResponseSchema, { currency, amount, key });
  }

  async quote(from_currency: string, to_currency: string, amount: string): Promise<WalletConversion> {
    const fields = { from_currency, to_currency, amount };
    return (await this.#act(`${WALLET_PATH}/conversions`, walletConversionResponseSchema, fields)).conversion;
  }

  async convert(id: string): Promise<void> {
    await this.#act(`${WALLET_PATH}/conversions/${id}/confirm`, walletConversionResponseSchema, {});
  }

  /** Submits a form, and stores a renewed session as the page stores its cookie. */
  async #act<Data extends { renewed_session: { session: string } | null }>(
    path: string,
    schema: z.ZodType<Data>,
    fields: object,
  ): Promise<Data> {
    const data = await this.#send("POST", path, schema, { form_token: this.#formToken, ...fields });
    if (data.renewed_session) this.#session = data.renewed_session.session;
    return data;
  }

  async #send<Data>(method: string, path: string, schema: z.ZodType<Data>, body?: object): Promise<Data> {
    const response = await fetch(`${this.nextOrigin()}${path}`, {
      method,
      headers: {
        "x-tillgate-internal-key": this.internalKey,
        "x-tillgate-client-address": "drill",
        "x-tillgate-visitor": this.#visitor,
        ...(body && { "content-type": "application/json" }),
        ...(this.#session && { "x-tillgate-wallet-session": this.#session }),
        ...(this.#device && { "x-tillgate-device": this.#device }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (!response.ok) {
      // The session has ended, or its renewed token was in a response that was lost: the shopper signs in again.
      if (response.status === 401 || response.status === 403) this.#formToken = undefined;
      throw new ResponseError(response.status, text);
    }
    return successEnvelope(schema).parse(JSON.parse(text)).data;
  }
}
