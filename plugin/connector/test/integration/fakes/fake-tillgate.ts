import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Order, OrderStatus, Refund } from "@tillgate/contract";
import { rawKey, signWebhook } from "@tillgate/webhooks";
import { send } from "./fake-store.js";
import { listenLocally } from "./listen-locally.js";

export const CLIENT_SECRET = "cs_sandbox_0d9f6b1f7c5e4a3b8d2c1e0f9a8b7c6d";

export type FakeTillgateOrder = Order & { callback_url: string; version: number; key: string };

export interface Delivery {
  body: string;
  headers: Record<string, string>;
}

/** As much of the Pay API as the connector uses, in memory, and the events it would send. */
export class FakeTillgate {
  url = "";
  readonly orders = new Map<string, FakeTillgateOrder>();
  readonly refunds: Refund[] = [];
  /** Answered instead of the real thing, while set. */
  fault: ((method: string, path: string, response: ServerResponse) => boolean) | null = null;
  /** Done after an order was made and before it is answered. */
  afterCreate: ((response: ServerResponse) => boolean) | null = null;
  cancelCalls = 0;
  close: () => Promise<void> = async () => {};
  readonly #refundKeys = new Map<string, Refund>();
  #number = 100_000;

  static async start(): Promise<FakeTillgate> {
    const tillgate = new FakeTillgate();
    const server = createServer((request, response) => void tillgate.#answer(request, response));
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

  /** The newest order of a store order. */
  orderOf(reference: string): FakeTillgateOrder {
    const order = [...this.orders.values()].findLast((one) => one.reference === reference);
    if (order === undefined) throw new Error(`The fake Tillgate has no order for ${reference}`);
    return order;
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

  /** A completed refund and the events of it, the full one last where it is. */
  refund(orderId: string, amount: number): Delivery[] {
    const order = this.order(orderId);
    const refund = this.#addRefund(order, amount, null);
    const events = [this.sign(this.#id(), "refund.completed", { ...refund, order_id: orderId })];
    if (order.status === "REFUNDED") events.push(this.event("pos.order.refunded", orderId));
    return events;
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

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    let text = "";
    for await (const chunk of request) text += chunk;
    const body = text === "" ? {} : JSON.parse(text);
    const url = new URL(request.url ?? "", this.url);
    const path = url.pathname.replace("/pay/sandbox/api/v1", "");
    const method = request.method ?? "";
    if (this.fault?.(method, path, response)) return undefined;
    const [, id, cancel] = /^\/orders\/([^/]+)(\/cancel)?$/.exec(path) ?? [];
    if (method === "POST" && path === "/orders") return this.#create(body, response);
    if (id !== undefined) {
      const order = this.orders.get(id);
      if (order === undefined) return refuse(response, 404, "Order not found");
      if (cancel === undefined) return ok(response, publicOrder(order));
      this.cancelCalls += 1;
      if (order.status !== "PENDING") return refuse(response, 422, "Only pending orders can be cancelled");
      order.status = "CANCELLED";
      order.version += 1;
      return ok(response, publicOrder(order));
    }
    if (method === "POST" && path === "/refunds") return this.#createRefund(body, response);
    if (path === "/refunds") {
      const refunds = this.refunds.filter(
        (one) => one.transaction_id === url.searchParams.get("transaction_id"),
      );
      const pagination = { current_page: 1, per_page: 100, total: refunds.length, last_page: 1 };
      return ok(response, { refunds, pagination });
    }
    return refuse(response, 404, "Not found");
  }

  #create(body: Record<string, string>, response: ServerResponse): ServerResponse {
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
        callback_url: body.callback_url ?? "",
        version: 1,
        key,
      };
      this.orders.set(order_id, order);
    }
    if (this.afterCreate?.(response)) return response;
    return ok(response, publicOrder(order));
  }

  #createRefund(body: Record<string, string>, response: ServerResponse): ServerResponse {
    const key = body.idempotency_key ?? "";
    const before = this.#refundKeys.get(key);
    if (before !== undefined) return ok(response, before);
    const order = [...this.orders.values()].find((one) => one.trx_id === body.transaction_id);
    if (order === undefined) return refuse(response, 404, "Transaction not found");
    const left = order.raw_amount - order.refunded_amount;
    if (left <= 0) return refuse(response, 422, "Refund exceeds original amount");
    const refund = this.#addRefund(order, left, body.reference ?? null);
    this.#refundKeys.set(key, refund);
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
      status: "completed",
      reason: "Returned",
      reference,
      created_at: now(),
    };
    this.refunds.push(refund);
    order.refunded_amount = Math.round((order.refunded_amount + amount) * 100) / 100;
    order.version += 1;
    if (order.refunded_amount === order.raw_amount) order.status = "REFUNDED";
    return refund;
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

const refuse = (response: ServerResponse, status: number, text: string): ServerResponse =>
  send(response, status, { message: { code: status, error: [text] }, data: [], type: "error" });
