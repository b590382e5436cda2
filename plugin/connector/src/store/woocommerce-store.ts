import { digitsOf, UnknownCurrencyError } from "@tillgate/money";
import { withSpan } from "@tillgate/service/tracing";
import { z } from "zod";
import { type ObserveCall, operationOf } from "./observed-call.js";
import {
  type OrderLine,
  type StoreAccess,
  StoreError,
  type StoreFailure,
  type StoreOrder,
} from "./store-access.js";
import { exactTotal } from "./store-amount.js";
import {
  currencyAnswer,
  errorAnswer,
  linesAnswer,
  noteListAnswer,
  orderAnswer,
  orderChangeAnswer,
  REFUND_META_KEY,
  refundAnswer,
  refundListAnswer,
  type StoreStatuses,
  webhookListAnswer,
} from "./woocommerce-answers.js";
import { openWooCommerce, type StoreCall, type StoreKeys, type StoreResponse } from "./woocommerce-api.js";

/** For one call of the store, in milliseconds. */
export const DEFAULT_STORE_TIMEOUT_MS = 30_000;
const PER_PAGE = 100;
/** More refunds than this on one order are not read. */
const MAX_REFUND_PAGES = 10;
/** Decimals in which amounts are asked for where the store would round them to its own: more than any currency has. */
const EXACT_DECIMALS = 6;
/** The longest wait that a store may ask for, in milliseconds. */
const MAX_RETRY_AFTER_MS = 60 * 60_000;

export type WooCommerceStoreOptions = StoreKeys & {
  timeoutMs?: number;
  statuses?: StoreStatuses;
  /** Told of every call that ended. */
  observe?: ObserveCall;
};

/** A WooCommerce store through its REST API v3. */
export function woocommerceStore(options: WooCommerceStoreOptions): StoreAccess {
  const { timeoutMs = DEFAULT_STORE_TIMEOUT_MS, observe } = options;
  const api = openWooCommerce(options, timeoutMs);
  const orderSchema = orderAnswer(options.statuses ?? { payable: [], paid: [] });

  /** @throws StoreError where no response came */
  const send = async (call: StoreCall): Promise<StoreResponse> => {
    const startedMs = performance.now();
    const operation = operationOf(call.method, call.path);
    const ended = (status: number | null, date: string | null) =>
      observe?.({ operation, status, date, milliseconds: performance.now() - startedMs });
    try {
      const response = await withSpan(`store ${operation}`, { kind: "CLIENT" }, () => api.send(call));
      ended(response.status, response.headers.date ?? null);
      return response;
    } catch (error) {
      ended(null, null);
      const text = reasonOf(error);
      throw new StoreError(failureOfNetwork(text), `${nameOf(call.method, call.path)}: no answer (${text})`);
    }
  };

  /** @returns the parsed answer, or null where the store says that there is no such thing */
  const ask = async <T>(
    call: StoreCall,
    schema: z.ZodType<T>,
  ): Promise<{ data: T; pages: number } | null> => {
    const response = await send(call);
    const name = nameOf(call.method, call.path);
    if (response.status >= 200 && response.status < 300) {
      const parsed = schema.safeParse(response.data);
      if (parsed.success) return { data: parsed.data, pages: response.headers["x-wp-totalpages"] ?? 1 };
      const what =
        typeof response.data === "string"
          ? "a page instead of JSON"
          : `another shape at ${parsed.error.issues.map((issue) => issue.path.join(".") || "the top").join(", ")}`;
      throw new StoreError("answer", `${name}: the store answered ${what} (HTTP ${response.status})`);
    }
    const error = errorAnswer.safeParse(response.data);
    // A 404 of the route itself (permalinks off, plugin gone) is no word about the order.
    if (response.status === 404 && error.data?.code.startsWith("woocommerce_rest_") === true) return null;
    const text = error.success
      ? `${error.data.message} (${error.data.code}, HTTP ${response.status})`
      : `the store answered HTTP ${response.status}${addressIn(response)}`;
    throw new StoreError(
      failureOf(response, error.success),
      api.mask(`${name}: ${text}`),
      retryAfterMs(response),
    );
  };

  const must = async <T>(call: StoreCall, schema: z.ZodType<T>): Promise<{ data: T; pages: number }> => {
    const answer = await ask(call, schema);
    if (answer === null) {
      throw new StoreError("refused", `${nameOf(call.method, call.path)}: the store has no such order`);
    }
    return answer;
  };

  let shopCurrency: Promise<string> | null = null;
  const readShopCurrency = (): Promise<string> => {
    shopCurrency ??= must({ method: "get", path: "data/currencies/current" }, currencyAnswer)
      .then(({ data }) => data.code)
      .catch((error: unknown) => {
        shopCurrency = null;
        throw error;
      });
    return shopCurrency;
  };

  const readLines = async (orderId: number): Promise<OrderLine[]> => {
    const query = { dp: EXACT_DECIMALS, _fields: LINE_FIELDS };
    return (await must({ method: "get", path: `orders/${orderId}`, query }, linesAnswer)).data;
  };

  /**
   * The store rounds an order's total to the decimals of the shop's own currency. Of an order in a currency that has more, the lines say
   * what it comes to.
   */
  const withExactTotal = async (order: StoreOrder): Promise<StoreOrder> => {
    if (!mayBeRounded(order) || (await readShopCurrency()) === order.currency) return order;
    const parts = (await readLines(order.id)).flatMap(({ total, taxes }) => [
      total,
      ...taxes.map((tax) => tax.total),
    ]);
    return { ...order, total: exactTotal(order.total, parts, order.currency) };
  };

  return {
    async order(orderId) {
      const answer = await ask({ method: "get", path: `orders/${orderId}` }, orderSchema);
      return answer === null ? null : withExactTotal(answer.data);
    },
    async change(orderId, change) {
      await must({ method: "put", path: `orders/${orderId}`, body: change }, z.object({ id: z.int() }));
    },
    lines: readLines,
    async notes(orderId) {
      return (await must({ method: "get", path: `orders/${orderId}/notes` }, noteListAnswer)).data;
    },
    async addNote(orderId, note) {
      const call: StoreCall = { method: "post", path: `orders/${orderId}/notes`, body: { note } };
      await must(call, z.object({ id: z.int() }));
    },
    async refunds(orderId) {
      const refunds = [];
      for (let page = 1; page <= MAX_REFUND_PAGES; page += 1) {
        const query = { per_page: PER_PAGE, page, dp: EXACT_DECIMALS };
        const answer = await must(
          { method: "get", path: `orders/${orderId}/refunds`, query },
          refundListAnswer,
        );
        refunds.push(...answer.data);
        if (page >= answer.pages) return refunds.toSorted((one, other) => one.id - other.id);
      }
      throw new StoreError(
        "answer",
        `orders/${orderId}/refunds: more than ${MAX_REFUND_PAGES * PER_PAGE} refunds`,
      );
    },
    async recordRefund(orderId, { amount, reason, tillgateRefundId, lines, restocks }) {
      const body = {
        amount,
        reason,
        // Without this WooCommerce asks the payment gateway for the money once more.
        api_refund: false,
        api_restock: restocks,
        line_items: lines.map(({ id, quantity, total, taxes }) => ({
          id,
          quantity,
          refund_total: total,
          refund_tax: taxes.map((tax) => ({ id: tax.id, refund_total: tax.total })),
        })),
        meta_data: [{ key: REFUND_META_KEY, value: tillgateRefundId }],
      };
      return (await must({ method: "post", path: `orders/${orderId}/refunds`, body }, refundAnswer)).data.id;
    },
    async webhooks() {
      const query = { per_page: PER_PAGE, context: "edit" };
      return (await must({ method: "get", path: "webhooks", query }, webhookListAnswer)).data;
    },
    async ordersModifiedAfter(since, page) {
      const query = {
        _fields: "id,date_modified_gmt",
        modified_after: since.toISOString().replace(/\.\d+Z$/, ""),
        dates_are_gmt: true,
        orderby: "modified",
        order: "asc",
        per_page: PER_PAGE,
        page,
      };
      const answer = await must({ method: "get", path: "orders", query }, z.array(z.unknown()));
      const changes = answer.data.flatMap((row) => orderChangeAnswer.safeParse(row).data ?? []);
      return { changes, skipped: answer.data.length - changes.length, isLast: page >= answer.pages };
    },
  };
}

const nameOf = (method: string, path: string): string => `${method.toUpperCase()} ${path}`;

/** Whether the store may have rounded the total to fewer decimals than its currency has. */
function mayBeRounded({ total, currency }: StoreOrder): boolean {
  try {
    return (total.split(".")[1] ?? "").length < digitsOf(currency);
  } catch (error) {
    if (error instanceof UnknownCurrencyError) return false;
    throw error;
  }
}

const LINE_FIELDS = "line_items,shipping_lines,fee_lines";

function failureOf({ status, headers }: StoreResponse, isOfWordPress: boolean): StoreFailure {
  if (status >= 300 && status < 400) return "redirect";
  if (status === 429) return "rate_limit";
  if (status === 401 || status === 403) {
    if (isOfWordPress) return "credentials";
    return headers["www-authenticate"] === undefined ? "blocked" : "password";
  }
  if (status === 503) return "maintenance";
  if (status >= 500) return "failed";
  if (isOfWordPress) return "refused";
  return status === 404 ? "permalinks" : "answer";
}

const addressIn = ({ headers: { location } }: StoreResponse): string =>
  location === undefined ? " without a reason" : `, to ${location}`;

/** @returns how long the store asks to wait; null where it does not say */
function retryAfterMs({ headers }: StoreResponse): number | null {
  const text = headers["retry-after"];
  if (text === undefined) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), MAX_RETRY_AFTER_MS);
}

function failureOfNetwork(text: string): StoreFailure {
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/.test(text)) return "certificate";
  return /ECONNABORTED|ETIMEDOUT|timeout/.test(text) ? "timeout" : "unreachable";
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return [code, error.message].filter((part) => part !== "").join(" ");
}
