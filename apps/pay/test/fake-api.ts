import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  CHECKOUT_PATH,
  type CheckoutEmbed,
  type CheckoutLink,
  type CheckoutReason,
  type CheckoutStatus,
  type CheckoutView,
  WALLET_PATH,
  type WalletConversion,
  type WalletReceipt,
  type WalletSignIns,
  type WalletView,
} from "@tillgate/contract";

/** A request that the page sent to the API. */
export type SeenRequest = {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: Record<string, string>;
};

type PlannedRefusal = {
  status: number;
  reason: CheckoutReason;
  retryAfter?: number;
  missing?: string;
  /** Fields with an error. */
  fields?: string[];
};

export type Shopper = NonNullable<CheckoutView["shopper"]>;
export type Wallet = Shopper["wallets"][number];

type Step = {
  token: string;
  view: CheckoutView;
  shopper: Shopper | null;
  body: Record<string, string>;
};

export const INTERNAL_KEY = "the-internal-key-of-the-tests-0123456789";
export const PIN = "275183";
export const SESSION = "session-of-anna-0123456789";
/** Form token of the fake API, bound to visitor and order. */
const formToken = (visitor: string, token: string): string => `form.${visitor}.${token}`;
/** Witness token that the fake API issues to a visitor of a pending order. */
export const witnessOf = (visitor: string, token: string): string => `seen.${visitor}.${token}`;
export const DEVICE = "device-of-anna-0123456789";

/** A payable sandbox order, as the checkout API returns it. */
export function payableView(token: string, change: Partial<CheckoutView["order"]> = {}): CheckoutView {
  const now = Date.now();
  const order: CheckoutView["order"] = {
    order_id: "POS-20261121-7K2M9Q",
    mode: "sandbox",
    status: "PENDING",
    version: 1,
    merchant_name: "Kiosk Nord",
    description: "Two coffees and a cinnamon roll",
    reference: "1042",
    amount: "41.50 EUR",
    currency: "EUR",
    payment_method: "both",
    locale: null,
    qr_data: `http://localhost:4001/pay/${token}`,
    payment_url: `http://localhost:4001/pay/${token}`,
    trx_id: null,
    paid_at: null,
    refunded_amount: null,
    refund_pending_amount: null,
    created_at: timestamp(now),
    expires_at: timestamp(now + 298_000),
    ...change,
  };
  return {
    order,
    expires_in_ms: order.status === "PENDING" ? 298_000 : 0,
    return_to: `https://shop.example/checkout/return?token=${token}&status=${order.status.toLowerCase()}&trx_id=TRX-1`,
    leads_back: false,
    merchant: { name: order.merchant_name, accent: null, logo: null },
    payment: null,
    shopper: null,
    quote: null,
    landings: null,
    open_shopper: null,
    recognised: null,
    form_token: "",
    witness: null,
  };
}

/** A wallet that can pay the order of `payableView` directly. */
export const eurWallet: Wallet = {
  wallet_id: "6f1c1a52-4b6e-4d5c-9c55-0a6f2f1f5a10",
  currency: "EUR",
  balance: "182.30 EUR",
  converts: false,
  price: "41.50 EUR",
  rate: null,
  sufficient: true,
  missing: null,
};
/** A wallet that can pay the order of `payableView` by conversion. */
export const usdWallet: Wallet = {
  wallet_id: "0d6f5f0e-6f53-4e0e-8a6f-2f1f5a106f1c",
  currency: "USD",
  balance: "99.00 USD",
  converts: true,
  price: "45.46 USD",
  rate: "0.9131166",
  sufficient: true,
  missing: null,
};

/** A signed-in shopper with these wallets. */
export const shopperWith = (wallets: Wallet[], change: Partial<Shopper> = {}): Shopper => ({
  name: "Anna Berg",
  pin_needed: false,
  passkey: false,
  passkey_offered: false,
  wrong_pins_elsewhere: false,
  wallet: wallets.find(({ converts }) => !converts) ?? null,
  wallets,
  ...change,
});

/** A valid quote for `usdWallet`. */
export function usdQuote(
  change: Partial<NonNullable<CheckoutView["quote"]>> = {},
): NonNullable<CheckoutView["quote"]> {
  return {
    quote_id: "a1b2c3d4-4b6e-4d5c-9c55-0a6f2f1f5a10",
    wallet_id: usdWallet.wallet_id,
    pays: "45.46 USD",
    receives: "41.50 EUR",
    rate: "0.9131166",
    margin_percent: "1",
    from_currency: "USD",
    to_currency: "EUR",
    sufficient: true,
    missing: null,
    expires_at: timestamp(Date.now() + 290_000),
    expires_in_ms: 290_000,
    ...change,
  };
}

/** The wallet of a signed-in shopper. */
export const walletOf = (change: Partial<WalletView> = {}): WalletView => ({
  shopper: {
    name: "Anna Berg",
    mode: "sandbox",
    phone: "+4670123456",
    email: "anna@example.com",
    wrong_pins_elsewhere: false,
    hidden: false,
  },
  usual_mode: "sandbox",
  wallets: [
    { wallet_id: eurWallet.wallet_id, currency: "EUR", balance: "182.30 EUR" },
    { wallet_id: usdWallet.wallet_id, currency: "USD", balance: "99.00 USD" },
  ],
  form_token: "",
  ...change,
});

/** The receipt of a payment with a completed and a pending refund. */
export const walletReceipt = (change: Partial<WalletReceipt> = {}): WalletReceipt => ({
  id: "4b1c1a52-4b6e-4d5c-9c55-0a6f2f1f5a11",
  kind: "payment",
  direction: "out",
  amount: "45.46 USD",
  merchant_name: "Kiosk Nord",
  description: "Two coffees",
  counter_amount: null,
  merchant_amount: "41.50 EUR",
  created_at: "2026-11-21T10:00:00+00:00",
  payment: {
    order_id: "POS-20261121-7K2M9Q",
    trx_id: "TRX-204817736512",
    reference: "1042",
    price: "41.50 EUR",
    rate: "0.9131166",
    payment_url: "http://localhost:4001/pay/order",
    refunds: [
      {
        refund_id: "RF-20261121-7K2M9Q",
        status: "completed",
        amount: "10.00 EUR",
        received: "10.95 USD",
        activity_id: "5b1c1a52-4b6e-4d5c-9c55-0a6f2f1f5a12",
        created_at: "2026-11-21T11:00:00+00:00",
      },
      {
        refund_id: "RF-20261121-7K2M9R",
        status: "pending",
        amount: "5.00 EUR",
        received: null,
        activity_id: null,
        created_at: "2026-11-21T12:00:00+00:00",
      },
    ],
  },
  refund: null,
  payout: null,
  conversion: null,
  ...change,
});

/** A conversion with a valid quote. */
export const heldConversion = (change: Partial<WalletConversion> = {}): WalletConversion => ({
  id: "9b1c1a52-4b6e-4d5c-9c55-0a6f2f1f5a16",
  gives: "10.00 EUR",
  gets: "10.95 USD",
  rate: "1.0951",
  margin_percent: "1",
  from_currency: "EUR",
  to_currency: "USD",
  expires_at: timestamp(Date.now() + 290_000),
  expires_in_ms: 290_000,
  activity_id: null,
  ...change,
});

/** Two sessions, a trusted device and a passkey. */
export const walletSignIns: WalletSignIns = {
  sessions: [
    {
      id: "6b1c1a52-4b6e-4d5c-9c55-0a6f2f1f5a13",
      browser: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      signed_in_at: "2026-11-21T10:00:00+00:00",
      expires_at: "2026-11-21T11:00:00+00:00",
      remembered: false,
      current: true,
    },
    {
      id: "7b1c1a52-4b6e-4d5c-9c55-0a6f2f1f5a14",
      browser: "",
      signed_in_at: "2026-11-20T10:00:00+00:00",
      expires_at: "2026-11-27T10:00:00+00:00",
      remembered: true,
      current: false,
    },
  ],
  devices: [
    {
      id: "8b1c1a52-4b6e-4d5c-9c55-0a6f2f1f5a15",
      browser: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      used_at: "2026-11-21T10:00:00+00:00",
      current: true,
    },
  ],
  passkeys: [
    {
      id: "9c1c1a52-4b6e-4d5c-9c55-0a6f2f1f5a17",
      added_at: "2026-11-20T10:00:00+00:00",
      used_at: "2026-11-21T10:00:00+00:00",
    },
  ],
};

export const timestamp = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}+00:00`;

/** In-memory checkout API: tests set orders, steps change them, streams report changes. */
export class FakeApi {
  readonly seen: SeenRequest[] = [];
  readonly orders = new Map<string, CheckoutView>();
  /** The shopper of each session; a missing session has expired. */
  readonly sessions = new Map<string, Shopper>();
  /** Payment links by token, and the orders created through them, newest last. */
  readonly links = new Map<string, CheckoutLink>();
  readonly startedOrders: { token: string; visitor: string; amount: string | undefined }[] = [];
  /** Status with which orders through a link are rejected; null to accept them. */
  linkRefusal: number | null = null;
  /** Origins that may embed payments. */
  origins: string[] = [];
  /** Logos by ID. */
  readonly logos = new Map<string, Buffer>();
  /** The wallet of the shopper with `SESSION`, and the data of the wallet pages by their API path. */
  wallet: WalletView = walletOf();
  readonly walletPages = new Map<string, unknown>();
  /** The renewed session that steps return, if any. */
  renewed: { session: string; max_age_seconds: number | null } | null = null;
  /** Whether pages redirect automatically; if undefined, only those of settled orders do. */
  leadsBack: boolean | undefined;
  /** Whether sign-ins report earlier wrong PINs. */
  wrongPinsBefore = false;
  /** Error with which all steps are rejected; null to accept them. */
  refusal: PlannedRefusal | null = null;
  /** Passkey challenge. */
  readonly passkeyOptions = { challenge: "Y2hhbGxlbmdl", rpId: "127.0.0.1" };
  /** Whether the API never responds, so that the caller times out. */
  silent = false;
  readonly #streams = new Map<string, Set<ServerResponse>>();
  readonly #server: Server = createServer((request, response) => void this.#respond(request, response));

  /** @returns the origin of this API. */
  async start(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The fake API has no port");
    return `http://127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Number of open streams of an order. */
  streams(token: string): number {
    return this.#streams.get(token)?.size ?? 0;
  }

  /** Forgets all orders, sessions, settings and requests. */
  reset(): void {
    Object.assign(this, new FakeApi());
  }

  /** The last request to a path with this ending. */
  last(end: string): SeenRequest | undefined {
    return this.seen.findLast(({ path }) => path.endsWith(end));
  }

  /** Changes an order and notifies its streams. */
  change(token: string, change: Partial<CheckoutView["order"]>): void {
    const view = this.orders.get(token);
    if (view === undefined) throw new Error(`The fake API has no order ${token}`);
    Object.assign(view.order, change, { version: view.order.version + 1 });
    if (view.order.status !== "PENDING") view.expires_in_ms = 0;
    for (const stream of this.#streams.get(token) ?? []) this.#send(stream, view);
  }

  pay(token: string): void {
    this.change(token, { status: "PAID", trx_id: "TRX-204817736512", paid_at: timestamp(Date.now()) });
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString();
    const body = (text === "" ? {} : JSON.parse(text)) as Record<string, string>;
    const path = request.url ?? "";
    this.seen.push({ method: request.method ?? "", path, headers: request.headers, body });
    if (this.silent) return;
    if (request.headers["x-tillgate-internal-key"] !== INTERNAL_KEY) return reject(response, 401, null);

    if (path.startsWith(`${CHECKOUT_PATH}/logos/`)) return this.#logo(path, request, response);
    if (path.startsWith(WALLET_PATH))
      return this.#wallet(path.slice(WALLET_PATH.length), request, body, response);
    if (path.startsWith(`${CHECKOUT_PATH}/links/`)) return this.#link(path, request, body, response);
    const [token = "", step = "", below = ""] = path.slice(`${CHECKOUT_PATH}/orders/`.length).split("/");
    const view = this.orders.get(token);
    if (view === undefined) return reject(response, 404, "not_found");
    if (step === "embed" && request.method === "GET") return succeed(response, this.#embed(token, view));
    const visitor = String(request.headers["x-tillgate-visitor"]);
    const session = request.headers["x-tillgate-wallet-session"];
    const shopper = this.sessions.get(String(session)) ?? null;
    if (step === "events") return this.#open(token, view, request, response);
    if (step === "status") return succeed(response, statusOf(view));
    if (request.method === "GET") {
      return succeed(response, {
        ...view,
        leads_back:
          this.leadsBack ??
          (["PAID", "CANCELLED", "EXPIRED"].includes(view.order.status) &&
            view.order.refunded_amount === null &&
            view.return_to !== null),
        shopper,
        form_token: formToken(visitor, token),
        witness:
          view.order.status === "PENDING"
            ? { token: witnessOf(visitor, token), max_age_seconds: 3_898 }
            : null,
      });
    }
    if (this.refusal !== null) return this.#refusePlanned(this.refusal, response);
    const [requested, formOf] =
      step === "embed" ? [below, formToken("frame", token)] : [step, formToken(visitor, token)];
    if (body.form_token !== formOf) return reject(response, 403, "form_rejected");
    if (below === "start") return succeed(response, { options: this.passkeyOptions });
    this.#step(requested, { token, view, shopper, body }, response);
  }

  #embed(token: string, { order, merchant, expires_in_ms }: CheckoutView): CheckoutEmbed {
    const { mode, status, version, description, reference, amount } = order;
    const { refunded_amount, refund_pending_amount, locale, qr_data, payment_url, expires_at } = order;
    const visible = { mode, status, version, description, reference, amount };
    return {
      order: { ...visible, refunded_amount, refund_pending_amount, locale, qr_data, payment_url, expires_at },
      merchant,
      expires_in_ms,
      origins: this.origins,
      form_token: mode === "sandbox" ? formToken("frame", token) : null,
    };
  }

  #step(step: string, { token, view, shopper, body }: Step, response: ServerResponse): void {
    const renewed_session = this.renewed;
    if (step === "sign-out") succeed(response, []);
    else if (step === "passkeys") {
      if (shopper !== null) shopper.passkey_offered = false;
      succeed(response, { status: view.order.status, repeated: false, renewed_session });
    } else if (step === "sign-in") this.#signIn(body, response);
    else if (step === "sandbox-sign-in") this.#signIn({ ...body, pin: PIN }, response);
    else if (view.order.status === "PAID") reject(response, 422, "already_paid");
    else if ((step === "pay" || step === "quotes") && shopper === null)
      reject(response, 401, "not_signed_in");
    else if (step === "pay" && shopper?.pin_needed && body.pin === undefined && body.passkey === undefined)
      reject(response, 401, "pin_needed");
    else if (step === "pay" && body.pin !== undefined && body.pin !== PIN) reject(response, 401, "wrong_pin");
    else if (step === "quotes") {
      view.quote = usdQuote();
      succeed(response, { quote: view.quote, renewed_session });
    } else {
      if (step === "pay" || step === "sandbox-approve") this.pay(token);
      if (step === "cancel") this.change(token, { status: "CANCELLED" });
      succeed(response, { status: view.order.status, repeated: false, renewed_session });
    }
  }

  #refusePlanned({ status, reason, retryAfter, ...details }: PlannedRefusal, response: ServerResponse): void {
    if (retryAfter !== undefined) response.setHeader("Retry-After", retryAfter);
    reject(response, status, reason, details);
  }

  #wallet(
    path: string,
    { method, headers }: IncomingMessage,
    body: Record<string, string>,
    response: ServerResponse,
  ): void {
    const visitor = String(headers["x-tillgate-visitor"]);
    const isIn = headers["x-tillgate-wallet-session"] === SESSION;
    const form_token = formToken(visitor, "wallet");
    if (path === "") {
      const { shopper, wallets, ...view } = this.wallet;
      succeed(response, {
        ...view,
        shopper: isIn ? shopper : null,
        wallets: isIn ? wallets : [],
        form_token,
      });
    } else if (method === "GET") {
      const page = this.walletPages.get(path);
      if (page === undefined) reject(response, 404, "not_found");
      else succeed(response, page);
    } else if (this.refusal !== null) this.#refusePlanned(this.refusal, response);
    else if (body.form_token !== form_token) reject(response, 403, "form_rejected");
    else if (path === "/sign-in") this.#signIn(body, response);
    else if (path === "/shoppers" || path === "/pin-resets") this.#signIn({ ...body, pin: PIN }, response);
    else if (!isIn) reject(response, 401, "not_signed_in");
    else if (path === "/top-ups")
      succeed(response, { activity_id: walletReceipt().id, renewed_session: this.renewed });
    else if (path.startsWith("/conversions")) {
      const activity_id = path.endsWith("/confirm") ? walletReceipt().id : null;
      succeed(response, { conversion: heldConversion({ activity_id }), renewed_session: this.renewed });
    } else succeed(response, { renewed_session: this.renewed, signed_out: path.startsWith("/sign-out") });
  }

  #signIn(body: Record<string, string>, response: ServerResponse): void {
    if (body.pin !== PIN) reject(response, 401, "wrong_sign_in");
    else
      succeed(response, {
        session: SESSION,
        max_age_seconds: String(body.stay_signed_in) === "true" ? 3600 : null,
        device: { token: DEVICE, max_age_seconds: 15_552_000 },
        wrong_pins_before: this.wrongPinsBefore,
      });
  }

  #link(
    path: string,
    request: IncomingMessage,
    body: Record<string, string>,
    response: ServerResponse,
  ): void {
    const [token = "", step] = path.slice(`${CHECKOUT_PATH}/links/`.length).split("/");
    const link = this.links.get(token);
    if (link === undefined) reject(response, 404, null);
    else if (step === undefined) succeed(response, link);
    else if (this.linkRefusal !== null) reject(response, this.linkRefusal, null);
    else {
      const visitor = String(request.headers["x-tillgate-visitor"]);
      this.startedOrders.push({ token, visitor, amount: body.amount });
      succeed(response, { payment_url: `http://localhost:4001/pay/of-${token}` });
    }
  }

  #logo(path: string, request: IncomingMessage, response: ServerResponse): void {
    const id = path.split("/").at(-1) ?? "";
    const bytes = this.logos.get(id);
    const headers = { ETag: `"${id}"`, "Cache-Control": "public, max-age=31536000, immutable" };
    if (bytes === undefined) reject(response, 404, "not_found");
    else if (request.headers["if-none-match"] === headers.ETag) response.writeHead(304, headers).end();
    else response.writeHead(200, { ...headers, "Content-Type": "image/png" }).end(bytes);
  }

  #open(token: string, view: CheckoutView, request: IncomingMessage, response: ServerResponse): void {
    const streams = this.#streams.get(token) ?? new Set();
    this.#streams.set(token, streams.add(response));
    request.once("close", () => streams.delete(response));
    response.once("close", () => streams.delete(response));
    response.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-cache, no-transform",
    });
    this.#send(response, view);
  }

  #send(stream: ServerResponse, view: CheckoutView): void {
    const { order } = view;
    stream.write(`id: ${order.version}\nevent: status\ndata: ${JSON.stringify(statusOf(view))}\n\n`);
    if (order.status !== "PENDING") stream.end();
  }
}

const statusOf = ({ order, expires_in_ms }: CheckoutView): CheckoutStatus => ({
  status: order.status,
  version: order.version,
  expires_in_ms,
});

function succeed(response: ServerResponse, data: unknown): void {
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ message: { success: ["OK"] }, data }));
}

function reject(
  response: ServerResponse,
  code: number,
  reason: CheckoutReason | null,
  { missing, fields = [] }: Pick<PlannedRefusal, "missing" | "fields"> = {},
): void {
  response.writeHead(code, { "Content-Type": "application/json" });
  const errors = Object.fromEntries(fields.map((name) => [name, [`The ${name} field is wrong`]]));
  const envelope = { message: { code, error: ["Refused"] }, data: [], type: "error", missing, errors };
  response.end(JSON.stringify(reason === null ? envelope : { ...envelope, reason }));
}
