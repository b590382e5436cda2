import { randomBytes } from "node:crypto";
import {
  type Mode,
  signInResponseSchema,
  successEnvelope,
  WALLET_PATH,
  walletActionResponseSchema,
  walletActivityPageSchema,
  walletReceiptSchema,
  walletSignInsSchema,
  walletViewSchema,
} from "@tillgate/contract";
import { expect } from "vitest";
import type { z } from "zod";
import { INTERNAL_KEY } from "./api-process.js";
import { type ApiResponse, send } from "./requests.js";

/** A browser on the wallet pages, represented by the requests that apps/pay sends for it. */
export class WalletBrowser {
  readonly visitor = randomBytes(16).toString("hex");
  session: string | undefined;
  device: string | undefined;

  constructor(
    private readonly server: { url: string },
    private readonly browser = "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
    readonly clientAddress = `test-${randomBytes(4).toString("hex")}`,
  ) {}

  headers(): Record<string, string> {
    return {
      "x-tillgate-internal-key": INTERNAL_KEY,
      "x-tillgate-client-address": this.clientAddress,
      "x-tillgate-client-browser": this.browser,
      "x-tillgate-visitor": this.visitor,
      ...(this.session ? { "x-tillgate-wallet-session": this.session } : {}),
      ...(this.device ? { "x-tillgate-device": this.device } : {}),
    };
  }

  get(path: string): Promise<ApiResponse> {
    return send(`${this.server.url}${WALLET_PATH}${path}`, { headers: this.headers() });
  }

  async read<Data>(path: string, schema: z.ZodType<Data>): Promise<Data> {
    const { status, text, body } = await this.get(path);
    expect({ status, text }).toMatchObject({ status: 200 });
    return successEnvelope(schema).strict().parse(body).data;
  }

  view = () => this.read("", walletViewSchema.strict());
  activity = (query = "") => this.read(`/activity${query}`, walletActivityPageSchema.strict());
  receipt = (id: string) => this.read(`/activity/${id}`, walletReceiptSchema.strict());
  signIns = () => this.read("/sign-ins", walletSignInsSchema.strict());

  /** Submits a form. `fields.form_token` defaults to the page's current form token. */
  async post(path: string, fields: Record<string, unknown> = {}): Promise<ApiResponse> {
    const form_token = fields.form_token ?? (await this.view()).form_token;
    return send(`${this.server.url}${WALLET_PATH}${path}`, {
      method: "POST",
      headers: { ...this.headers(), "content-type": "application/json" },
      body: JSON.stringify({ ...fields, form_token }),
    });
  }

  /** Submits a form, expects status 200, and stores the new session if the API rotates it. */
  async act(path: string, fields: Record<string, unknown> = {}) {
    const { status, text, body } = await this.post(path, fields);
    expect({ status, text }).toMatchObject({ status: 200 });
    const acted = successEnvelope(walletActionResponseSchema.strict()).strict().parse(body).data;
    if (acted.renewed_session) this.session = acted.renewed_session.session;
    return acted;
  }

  signInResponse(identifier: string, pin: string, mode: Mode = "sandbox"): Promise<ApiResponse> {
    return this.post("/sign-in", { identifier, pin, mode });
  }

  async signIn(identifier: string, pin: string, mode: Mode = "sandbox"): Promise<void> {
    this.#saveSession(await this.signInResponse(identifier, pin, mode));
  }

  /** Submits a sign-up form or, at another path, a PIN reset form. Both sign the shopper in. */
  async signUp(fields: Record<string, unknown>, path = "/shoppers"): Promise<void> {
    this.#saveSession(await this.post(path, fields));
  }

  #saveSession({ status, text, body }: ApiResponse): void {
    expect({ status, text }).toMatchObject({ status: 200 });
    const { session, device } = successEnvelope(signInResponseSchema.strict()).strict().parse(body).data;
    this.session = session;
    this.device = device.token;
  }
}
