import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  type ComparedOrder,
  type ComparisonRequest,
  comparisonBodySchema,
  ErrorCode,
  errorEnvelope,
  FieldRule,
  fieldErrors,
  type Order,
  type OrderDifference,
  type OrderStatus,
  type Refund,
} from "@tillgate/contract";
import { rawKey, signWebhook } from "@tillgate/webhooks";
import { send } from "./fake-store.js";
import { listenLocally } from "./listen-locally.js";

export const CLIENT_SECRET = "cs_sandbox_0d9f6b1f7c5e4a3b8d2c1e0f9a8b7c6d";

export type FakeTillgateOrder = Order & { callback_url: string; version: number; key: string };

export type Delivery = {
  body: string;
  headers: Record<string, string>;
};

/** An accepted comparison request. */
export type ReceivedComparison = ComparisonRequest & { client: string };

/** In-memory fake of the Pay API, as far as the connector uses it, with its events. */
export class FakeTillgate {
  url = "";
  readonly orders = new Map<string, FakeTillgateOrder>();
  readonly refunds: Refund[] = [];
  /** Handles each request while set. Returns false for the normal response. */
  fault: ((method: string, path: string, response: ServerResponse) => boolean) | null = null;
  /** Called after an order was created, before the response. */
  afterCreate: ((response: ServerResponse) => boolean) | null = null;
  cancelCalls = 0;
  /** Received requests with their client: `ci_demo GET /orders/POS-…`. */
  readonly requests: string[] = [];
  /** The `Tillgate-Site` of each request. */
  readonly sites: (string | undefined)[] = [];
  /** Whether refunds need approval. */
  refundsNeedApproval = false;
  /** Rejects all refunds with this text while set. */
  refundRefusal: string | null = null;
  /** Bodies of all POST /refunds requests. */
  readonly refundCalls: Record<string, string>[] = [];
  /** The differences of a shop's order. The rules are tested in the API. */
  compare: (order: ComparedOrder) => Omit<OrderDifference, "accepted">[] = () => [];
  /** Accepted comparison requests, in order. */
  readonly comparisons: ReceivedComparison[] = [];
  /** Called after a comparison was accepted, before the response. */
  afterComparison: ((response: ServerResponse) => Promise<boolean> | boolean) | null = null;
  /** Called after a refund was created, before the response. */
  afterRefund: ((response: ServerResponse, refund: Refund) => Promise<boolean> | boolean) | null = null;
  close: () => Promise<void> = async () => {};
  readonly #refundKeys = new Map<string, Refund>();
  #number = 100_000;

  static async start(): Promise<FakeTillgate> {
    const tillgate = new FakeTillgate();
    const server = createServer((request, response) => void tillgate.#respond(request, response));
    const listening = await listenLocally(server);
    tillgate.url = listening.url;
    tillgate.close = listening.close;
    return tillgate;
  }

  order(orderId: string): FakeTillgateOrder {
    const order = this.orders.get(orderId);
    if (order === undefined) throw new Error(`The fake Tillgate has no order ${orderId}`);
    return order;
  }

  /** Returns the latest Tillgate order of a store order. */
  orderOf(reference: string): FakeTillgateOrder {
    const order = [...this.orders.values()].findLast((one) => one.reference === reference);
    if (order === undefined) throw new Error(`The fake Tillgate has no order for ${reference}`);
    return order;
  }

  /** Returns the bodies of the POST /refunds requests for a transaction. */
  refundCallsOf(trxId: string | null): Record<string, string>[] {
    return this.refundCalls.filter(({ transaction_id }) => transaction_id === trxId);
  }

  refundsOf(trxId: string | null): Refund[] {
    return this.refunds.filter(({ transaction_id }) => transaction_id === trxId);
  }

  /** Restores the default behavior. */
  refundAsUsual(): void {
    this.refundsNeedApproval = false;
    this.refundRefusal = null;
    this.afterRefund = null;
  }

  set(orderId: string, status: OrderStatus): Delivery {
    const order = this.order(orderId);
    order.status = status;
    order.version += 1;
    if (status === "PAID") {
      this.#number += 1;
      order.trx_id = `TRX-000000${this.#number}`;
      order.paid_at = now();
    }
    return this.event(`pos.order.${status.toLowerCase()}`, orderId);
  }

  /** Makes a refund at Tillgate. @returns its events, ending with `pos.order.refunded` if the order is fully refunded */
  refund(orderId: string, amount: number): Delivery[] {
    const order = this.order(orderId);
    const refund = this.#addRefund(order, amount, null);
    const events = [this.refundEvent(refund)];
    if (order.status === "REFUNDED") events.push(this.event("pos.order.refunded", orderId));
    return events;
  }

  /** Returns the event for a refund's current status. */
  refundEvent(refund: Refund): Delivery {
    const order = [...this.orders.values()].find((one) => one.trx_id === refund.transaction_id);
    return this.sign(this.#id(), `refund.${refund.status}`, { ...refund, order_id: order?.order_id });
  }

  /** Decides a pending refund. @returns the event */
  decide(refundId: string, status: "completed" | "failed"): Delivery {
    const refund = this.refunds.find(({ refund_id }) => refund_id === refundId);
    if (refund === undefined) throw new Error(`The fake Tillgate has no refund ${refundId}`);
    refund.status = status;
    if (status === "completed") this.#countRefund(refund);
    return this.refundEvent(refund);
  }

  event(name: string, orderId: string, changes: Record<string, unknown> = {}): Delivery {
    const order = this.order(orderId);
    return this.sign(this.#id(), name, {
      order_id: orderId,
      amount: order.raw_amount,
      currency: order.currency,
      status: order.status,
      reference: order.reference,
      terminal_id: null,
      trx_id: order.trx_id,
      paid_at: order.paid_at,
      order_number: null,
      custom: null,
      refunded_amount: order.refunded_amount,
      version: order.version,
      ...changes,
    });
  }

  sign(
    id: string,
    event: string,
    data: object,
    options: { secret?: string; ageSeconds?: number } = {},
  ): Delivery {
    const body = JSON.stringify({ id, event, timestamp: now(), data });
    const headers = signWebhook({
      id,
      event,
      body,
      timestampSeconds: Math.floor(Date.now() / 1000) - (options.ageSeconds ?? 0),
      keys: [rawKey(options.secret ?? CLIENT_SECRET)],
    });
    return { body, headers: { ...headers, "content-type": "application/json" } };
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    let text = "";
    for await (const chunk of request) text += chunk;
    const body = text === "" ? {} : JSON.parse(text);
    const url = new URL(request.url ?? "", this.url);
    const path = url.pathname.replace(/^\/pay(\/sandbox)?\/api\/v1/, "");
    const method = request.method ?? "";
    const [client] = Buffer.from(request.headers.authorization?.slice(6) ?? "", "base64")
      .toString()
      .split(":");
    this.requests.push(`${client} ${method} ${path}`);
    this.sites.push(request.headers["tillgate-site"]?.toString());
    if (this.fault?.(method, path, response)) return undefined;
    const [, id, cancel] = /^\/orders\/([^/]+)(\/cancel)?$/.exec(path) ?? [];
    if (method === "POST" && path === "/orders") return this.#create(body, body.metadata ?? null, response);
    if (id !== undefined) {
      const order = this.orders.get(id);
      if (order === undefined) return sendError(response, 404, "Order not found");
      if (cancel === undefined) return ok(response, publicOrder(order));
      this.cancelCalls += 1;
      if (order.status !== "PENDING") return sendError(response, 422, "Only pending orders can be cancelled");
      order.status = "CANCELLED";
      order.version += 1;
      return ok(response, publicOrder(order));
    }
    if (method === "POST" && path === "/refunds") return this.#createRefund(body, response);
    const [, refundId] = /^\/refunds\/([^/]+)$/.exec(path) ?? [];
    if (refundId !== undefined) {
      const refund = this.refunds.find(({ refund_id }) => refund_id === refundId);
      return refund === undefined ? sendError(response, 404, "Refund not found") : ok(response, refund);
    }
    if (path === "/refunds") return this.#listRefunds(url.searchParams, response);
    const [, day] = /^\/comparisons\/([^/]+)$/.exec(path) ?? [];
    if (method === "PUT" && day !== undefined) return this.#compare(day, body, client ?? "", response);
    return sendError(response, 404, "Not found");
  }

  #create(
    body: Record<string, string>,
    metadata: Order["metadata"],
    response: ServerResponse,
  ): ServerResponse {
    const key = body.idempotency_key ?? "";
    let order = [...this.orders.values()].find((one) => one.key === key);
    if (order === undefined) {
      this.#number += 1;
      const order_id = `POS-20261121-${this.#number}`;
      order = {
        order_id,
        amount: `${body.amount} ${body.currency}`,
        raw_amount: Number(body.amount),
        currency: body.currency ?? "",
        payment_method: "both",
        reference: body.reference ?? null,
        description: body.description ?? null,
        terminal_id: null,
        status: "PENDING",
        qr_data: `http://pay.test/pay/${order_id}`,
        payment_url: `http://pay.test/pay/${order_id}`,
        trx_id: null,
        paid_at: null,
        expires_at: now(Number(body.expires_in)),
        created_at: now(),
        refunded_amount: 0,
        metadata,
        locale: body.locale ?? null,
        callback_url: body.callback_url ?? "",
        version: 1,
        key,
      };
      this.orders.set(order_id, order);
    }
    if (this.afterCreate?.(response)) return response;
    return ok(response, publicOrder(order));
  }

  #listRefunds(query: URLSearchParams, response: ServerResponse): ServerResponse {
    const has = (name: string, value: string) => !query.has(name) || query.get(name) === value;
    const found = this.refunds
      .filter((one) => has("transaction_id", one.transaction_id) && has("status", one.status))
      .filter((one) => one.created_at.slice(0, 10) >= (query.get("from_date") ?? ""))
      .reverse();
    const cursor = query.get("cursor");
    const per_page = Number(query.get("per_page") ?? 20);
    const start = cursor === null ? 0 : found.findIndex(({ refund_id }) => refund_id === cursor) + 1;
    if (cursor !== null && start === 0) {
      const fields = { cursor: [`The cursor ${FieldRule.EarlierCursor.text}.`] };
      return send(response, 400, errorEnvelope(ErrorCode.InvalidFields, "pay", { fields }));
    }
    const last_page = Math.max(1, Math.ceil(found.length / per_page));
    const counted = { current_page: 1, per_page, total: found.length, last_page };
    const refunds = found.slice(start, start + per_page);
    const next_cursor = start + per_page < found.length ? refunds.at(-1)?.refund_id : null;
    return ok(response, { refunds, pagination: cursor === null ? counted : null, next_cursor });
  }

  async #compare(
    day: string,
    body: object,
    client: string,
    response: ServerResponse,
  ): Promise<ServerResponse> {
    const parsed = comparisonBodySchema.safeParse(body);
    if (!parsed.success) {
      const fields = fieldErrors(parsed.error);
      return send(response, 400, errorEnvelope(ErrorCode.InvalidFields, "pay", { fields }));
    }
    this.comparisons.push({ client, day, ...parsed.data });
    const orders = parsed.data.orders.map((order) => ({
      order_id: order.order_id,
      differences: this.compare(order).map((found) => ({ ...found, accepted: isAccepted(order, found) })),
    }));
    if (await this.afterComparison?.(response)) return response;
    return ok(response, { orders: orders.filter(({ differences }) => differences.length > 0) });
  }

  async #createRefund(body: Record<string, string>, response: ServerResponse): Promise<ServerResponse> {
    this.refundCalls.push(body);
    const key = body.idempotency_key ?? "";
    const before = this.#refundKeys.get(key);
    if (before !== undefined) return ok(response, before);
    const order = [...this.orders.values()].find((one) => one.trx_id === body.transaction_id);
    if (order === undefined) return sendError(response, 404, "Transaction not found");
    if (this.refundRefusal !== null) return sendError(response, 422, this.refundRefusal);
    const left = order.raw_amount - order.refunded_amount;
    const amount = body.amount === undefined ? left : Number(body.amount);
    if (left <= 0 || amount > left) return sendError(response, 422, "Refund exceeds original amount");
    const refund = this.#addRefund(order, amount, body.reference ?? null);
    this.#refundKeys.set(key, refund);
    if (await this.afterRefund?.(response, refund)) return response;
    return ok(response, refund);
  }

  #addRefund(order: FakeTillgateOrder, amount: number, reference: string | null): Refund {
    this.#number += 1;
    const refund: Refund = {
      refund_id: `RF-20261121-${this.#number}`,
      transaction_id: order.trx_id ?? "",
      amount: `${amount.toFixed(2)} ${order.currency}`,
      raw_amount: amount,
      currency: order.currency,
      status: this.refundsNeedApproval ? "pending" : "completed",
      reason: "Returned",
      reference: reference ?? "",
      metadata: null,
      created_at: now(),
    };
    this.refunds.push(refund);
    if (refund.status === "completed") this.#countRefund(refund);
    return refund;
  }

  #countRefund(refund: Refund): void {
    const order = [...this.orders.values()].find((one) => one.trx_id === refund.transaction_id);
    if (order === undefined) return;
    order.refunded_amount = Math.round((order.refunded_amount + refund.raw_amount) * 100) / 100;
    order.version += 1;
    if (order.refunded_amount === order.raw_amount) order.status = "REFUNDED";
  }

  #id(): string {
    return `evt_${crypto.randomUUID().replaceAll("-", "")}`;
  }
}

const now = (inSeconds = 0): string =>
  new Date(Date.now() + inSeconds * 1000).toISOString().replace(/\.\d+Z$/, "+00:00");

function publicOrder({
  callback_url: _callback,
  version: _version,
  key: _key,
  ...order
}: FakeTillgateOrder): Order {
  return order;
}

const ok = (response: ServerResponse, data: unknown): ServerResponse =>
  send(response, 200, { message: { success: ["Done"] }, data });

export const sendError = (response: ServerResponse, status: number, text: string): ServerResponse =>
  send(response, status, { message: { code: status, error: [text] }, data: [], type: "error" });

const isAccepted = (
  { accepted = [] }: ComparedOrder,
  found: Pick<OrderDifference, "subject_id" | "field" | "kind" | "text">,
): boolean =>
  accepted.some(
    ({ subject_id, field, kind, text }) =>
      subject_id === found.subject_id && field === found.field && kind === found.kind && text === found.text,
  );
