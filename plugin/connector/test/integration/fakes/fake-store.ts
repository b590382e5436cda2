import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenLocally } from "./listen-locally.js";

export type FakeOrder = {
  id: number;
  number: string;
  status: string;
  currency: string;
  total: string;
  order_key: string;
  line_items?: FakeLine[];
  shipping_lines?: FakeLine[];
  payment_method: string;
  transaction_id: string;
  date_modified_gmt: string;
};

export type FakeLine = {
  id?: number;
  name?: string | null;
  quantity?: number | null;
  total?: string;
  taxes?: { id: number; total: string }[];
};

export type FakeRefund = {
  id: number;
  amount: string;
  reason: string;
  meta_data: { key: string; value: string }[];
};

export type StoreCall = {
  method: string;
  path: string;
  body: Record<string, unknown>;
};

/** Handles a call, for example with an error status, an HTML page or a broken connection. @returns false for the normal response */
export type Fault = (call: StoreCall, response: ServerResponse) => Promise<boolean> | boolean;

/** In-memory fake of the WooCommerce REST API, including its pitfalls, as far as the connector uses it. */
export class FakeStore {
  url = "";
  readonly orders = new Map<number, FakeOrder>();
  readonly notes = new Map<number, string[]>();
  readonly refunds = new Map<number, FakeRefund[]>();
  /** All successful PUT and POST requests, in order. */
  readonly writes: StoreCall[] = [];
  /** The store's webhooks, as listed by its REST API. */
  webhooks: { status: string; topic: string; delivery_url: string }[] = [];
  /** Status history of each order. */
  readonly history = new Map<number, string[]>();
  /** Statuses in which an order can be paid, and those in which `set_paid` has an effect. */
  payable = ["pending", "failed"];
  completable = ["pending", "failed"];
  fault: Fault | null = null;
  close: () => Promise<void> = async () => {};
  #nextRefund = 900;
  #clock = Date.parse("2026-11-21T10:00:00Z");

  static async start(): Promise<FakeStore> {
    const store = new FakeStore();
    const server = createServer((request, response) => void store.#respond(request, response));
    const listening = await listenLocally(server);
    store.url = listening.url;
    store.close = listening.close;
    return store;
  }

  add(changes: Partial<FakeOrder> & { id: number }): FakeOrder {
    const order: FakeOrder = {
      number: String(changes.id),
      status: "pending",
      currency: "EUR",
      total: "41.50",
      order_key: `wc_order_key${changes.id}`,
      payment_method: "tillgate",
      transaction_id: "",
      date_modified_gmt: this.#tick(),
      ...changes,
    };
    this.orders.set(order.id, order);
    this.notes.set(order.id, []);
    this.refunds.set(order.id, []);
    this.history.set(order.id, [order.status]);
    return order;
  }

  /** Changes an order, as the owner, a cron job or a customer would. */
  edit(id: number, changes: Partial<FakeOrder>): void {
    const order = this.#must(id);
    Object.assign(order, changes, { date_modified_gmt: this.#tick() });
    if (changes.status !== undefined) this.history.get(id)?.push(changes.status);
  }

  /** Deletes an order permanently, with its notes and refunds. */
  remove(id: number): void {
    for (const map of [this.orders, this.notes, this.refunds]) map.delete(id);
  }

  /** Makes a refund as the owner would, which also modifies the order. @returns the refund's ID */
  refundByHand(id: number, amount: string, reason = "Broken"): number {
    this.#nextRefund += 1;
    this.refundsOf(id).push({ id: this.#nextRefund, amount, reason, meta_data: [] });
    this.edit(id, this.#leftOf(this.#must(id)) === 0 ? { status: "refunded" } : {});
    return this.#nextRefund;
  }

  order(id: number): FakeOrder {
    return this.#must(id);
  }

  notesOf(id: number): string[] {
    return this.notes.get(id) ?? [];
  }

  refundsOf(id: number): FakeRefund[] {
    return this.refunds.get(id) ?? [];
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    let text = "";
    for await (const chunk of request) text += chunk;
    const url = new URL(request.url ?? "", this.url);
    const call: StoreCall = {
      method: request.method ?? "",
      path: url.pathname.replace("/wp-json/wc/v3/", ""),
      body: text === "" ? {} : JSON.parse(text),
    };
    if (!url.searchParams.has("oauth_signature")) {
      return send(response, 401, { code: "woocommerce_rest_cannot_view", message: "Sorry" });
    }
    if (this.fault !== null && (await this.fault(call, response))) return undefined;
    if (call.path === "webhooks") return send(response, 200, this.webhooks);
    const [, id, sub] = /^orders(?:\/(\d+))?(?:\/(notes|refunds))?$/.exec(call.path) ?? [];
    if (id === undefined) return this.#list(url, response);
    const order = this.orders.get(Number(id));
    if (order === undefined) {
      return send(response, 404, { code: "woocommerce_rest_shop_order_invalid_id", message: "Invalid ID." });
    }
    if (call.method !== "GET") this.writes.push(call);
    if (sub === "notes") return this.#noteCall(order, call, response);
    if (sub === "refunds") return this.#refundCall(order, call, response);
    if (call.method === "PUT") this.#change(order, call.body);
    return send(response, 200, this.#shown(order));
  }

  #shown(order: FakeOrder) {
    const refunds = this.refundsOf(order.id).map(({ id, reason, amount }) => ({
      id,
      reason,
      total: `-${amount}`,
    }));
    return { ...order, needs_payment: this.payable.includes(order.status), refunds };
  }

  #change(order: FakeOrder, body: Record<string, unknown>): void {
    if (typeof body.transaction_id === "string") order.transaction_id = body.transaction_id;
    if (typeof body.status === "string") this.edit(order.id, { status: body.status });
    // In any other status, WooCommerce returns 200 for set_paid without an effect.
    if (body.set_paid === true && this.completable.includes(order.status)) {
      this.edit(order.id, { status: "processing" });
    }
    order.date_modified_gmt = this.#tick();
  }

  #noteCall(order: FakeOrder, call: StoreCall, response: ServerResponse): ServerResponse {
    const notes = this.notesOf(order.id);
    if (call.method === "POST") {
      notes.push(String(call.body.note));
      return send(response, 201, { id: notes.length, note: call.body.note });
    }
    return send(
      response,
      200,
      notes.map((note, index) => ({ id: index + 1, note })),
    );
  }

  #refundCall(order: FakeOrder, call: StoreCall, response: ServerResponse): ServerResponse {
    const refunds = this.refundsOf(order.id);
    if (call.method === "GET") return send(response, 200, refunds, { "X-WP-TotalPages": "1" });
    if (call.body.api_refund !== false) {
      return send(response, 500, {
        code: "woocommerce_rest_cannot_create_order_refund",
        message: "No gateway",
      });
    }
    const left = this.#leftOf(order);
    const amount = String(call.body.amount);
    if (cents(amount) > left) {
      return send(response, 400, {
        code: "woocommerce_rest_invalid_order_refund",
        message: "Invalid refund amount.",
      });
    }
    const meta_data = Array.isArray(call.body.meta_data) ? call.body.meta_data : [];
    this.#nextRefund += 1;
    const refund = { id: this.#nextRefund, amount, reason: String(call.body.reason), meta_data };
    refunds.push(refund);
    if (cents(amount) === left) this.edit(order.id, { status: "refunded" });
    return send(response, 201, refund);
  }

  #leftOf(order: FakeOrder): number {
    return (
      cents(order.total) - this.refundsOf(order.id).reduce((sum, refund) => sum + cents(refund.amount), 0)
    );
  }

  #list(url: URL, response: ServerResponse): void {
    const after = Date.parse(`${url.searchParams.get("modified_after")}Z`);
    const changed = [...this.orders.values()]
      .filter(({ date_modified_gmt }) => !(Date.parse(`${date_modified_gmt}Z`) <= after))
      .sort((one, other) => one.date_modified_gmt.localeCompare(other.date_modified_gmt));
    const [page, perPage] = [Number(url.searchParams.get("page")), Number(url.searchParams.get("per_page"))];
    const pages = Math.ceil(changed.length / perPage);
    const orders = changed.slice((page - 1) * perPage, page * perPage).map((order) => this.#shown(order));
    send(response, 200, orders, { "X-WP-TotalPages": String(pages) });
  }

  #tick(): string {
    this.#clock = Math.max(this.#clock + 1000, Date.now());
    return new Date(this.#clock).toISOString().replace(/\.\d+Z$/, "");
  }

  #must(id: number): FakeOrder {
    const order = this.orders.get(id);
    if (order === undefined) throw new Error(`The fake store has no order ${id}`);
    return order;
  }
}

const cents = (amount: string): number => Math.round(Number(amount) * 100);

export function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): ServerResponse {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  return response.end(JSON.stringify(body));
}
