import { getDigits, UnknownCurrencyError } from "@tillgate/money";
import { withSpan } from "@tillgate/service/tracing";
import { z } from "zod";
import { type ObserveCall, toOperation } from "./observed-call.js";
import {
  type OrderLine,
  type StoreAccess,
  StoreError,
  type StoreFailure,
  type StoreOrder,
} from "./store-access.js";
import { computeExactTotal } from "./store-amount.js";
import { openWooCommerce, type StoreCall, type StoreKeys, type StoreResponse } from "./woocommerce-api.js";
import {
  currencyResponse,
  errorResponse,
  linesResponse,
  noteListResponse,
  orderChangeResponse,
  orderResponse,
  REFUND_META_KEY,
  refundListResponse,
  refundResponse,
  type StoreStatuses,
  webhookListResponse,
} from "./woocommerce-responses.js";

export const DEFAULT_STORE_TIMEOUT_MS = 30_000;
const PER_PAGE = 100;
/** An order with more pages of refunds is an error. */
const MAX_REFUND_PAGES = 10;
/** More than any currency has, so that the store does not round. */
const EXACT_DECIMALS = 6;
const MAX_RETRY_AFTER_MS = 60 * 60_000;

export type WooCommerceStoreOptions = StoreKeys & {
  timeoutMs?: number;
  statuses?: StoreStatuses;
  observe?: ObserveCall;
};

export function woocommerceStore(options: WooCommerceStoreOptions): StoreAccess {
  const { timeoutMs = DEFAULT_STORE_TIMEOUT_MS, observe } = options;
  const api = openWooCommerce(options, timeoutMs);
  const orderSchema = orderResponse(options.statuses ?? { payable: [], paid: [] });

  /** @throws StoreError if there is no response */
  const send = async (call: StoreCall): Promise<StoreResponse> => {
    const startedMs = performance.now();
    const operation = toOperation(call.method, call.path);
    const ended = (status: number | null, date: string | null) =>
      observe?.({ operation, status, date, milliseconds: performance.now() - startedMs });
    try {
      const response = await withSpan(`store ${operation}`, { kind: "CLIENT" }, () => api.send(call));
      ended(response.status, response.headers.date ?? null);
      return response;
    } catch (error) {
      ended(null, null);
      const text = networkErrorText(error);
      throw new StoreError(
        failureOfNetwork(text),
        `${describeCall(call.method, call.path)}: no response (${text})`,
      );
    }
  };

  /** Returns null if the resource does not exist. @throws StoreError */
  const requestOrNull = async <T>(
    call: StoreCall,
    schema: z.ZodType<T>,
  ): Promise<{ data: T; pages: number } | null> => {
    const response = await send(call);
    const name = describeCall(call.method, call.path);
    if (response.status >= 200 && response.status < 300) {
      const parsed = schema.safeParse(response.data);
      if (parsed.success) return { data: parsed.data, pages: response.headers["x-wp-totalpages"] ?? 1 };
      const unexpected =
        typeof response.data === "string"
          ? "HTML instead of JSON"
          : `an unexpected value at ${parsed.error.issues.map((issue) => issue.path.join(".") || "the top level").join(", ")}`;
      throw new StoreError("answer", `${name}: the store returned ${unexpected} (HTTP ${response.status})`);
    }
    const error = errorResponse.safeParse(response.data);
    // A 404 of the route itself (plain permalinks, WooCommerce deactivated) does not mean that the order is missing.
    if (response.status === 404 && error.data?.code.startsWith("woocommerce_rest_") === true) return null;
    const text = error.success
      ? `${error.data.message} (${error.data.code}, HTTP ${response.status})`
      : `the store returned HTTP ${response.status}${redirectTarget(response)}`;
    throw new StoreError(
      toFailure(response, error.success),
      api.mask(`${name}: ${text}`),
      retryAfterMs(response),
    );
  };

  const request = async <T>(call: StoreCall, schema: z.ZodType<T>): Promise<{ data: T; pages: number }> => {
    const result = await requestOrNull(call, schema);
    if (result === null) {
      throw new StoreError(
        "refused",
        `${describeCall(call.method, call.path)}: not found in the store (HTTP 404)`,
      );
    }
    return result;
  };

  let shopCurrency: Promise<string> | null = null;
  const readShopCurrency = (): Promise<string> => {
    shopCurrency ??= request({ method: "get", path: "data/currencies/current" }, currencyResponse)
      .then(({ data }) => data.code)
      .catch((error: unknown) => {
        shopCurrency = null;
        throw error;
      });
    return shopCurrency;
  };

  const readLines = async (orderId: number): Promise<OrderLine[]> => {
    const query = { dp: EXACT_DECIMALS, _fields: LINE_FIELDS };
    return (await request({ method: "get", path: `orders/${orderId}`, query }, linesResponse)).data;
  };

  /** Restores the exact total, which the store rounds to the decimals of the shop's currency, even if the order's currency has more. */
  const withExactTotal = async (order: StoreOrder): Promise<StoreOrder> => {
    if (!mayBeRounded(order) || (await readShopCurrency()) === order.currency) return order;
    const parts = (await readLines(order.id)).flatMap(({ total, taxes }) => [
      total,
      ...taxes.map((tax) => tax.total),
    ]);
    return { ...order, total: computeExactTotal(order.total, parts, order.currency) };
  };

  return {
    async order(orderId) {
      const result = await requestOrNull({ method: "get", path: `orders/${orderId}` }, orderSchema);
      return result === null ? null : withExactTotal(result.data);
    },
    async change(orderId, change) {
      await request({ method: "put", path: `orders/${orderId}`, body: change }, z.object({ id: z.int() }));
    },
    lines: readLines,
    async notes(orderId) {
      return (await request({ method: "get", path: `orders/${orderId}/notes` }, noteListResponse)).data;
    },
    async addNote(orderId, note) {
      const call: StoreCall = { method: "post", path: `orders/${orderId}/notes`, body: { note } };
      await request(call, z.object({ id: z.int() }));
    },
    async refunds(orderId) {
      const refunds = [];
      for (let page = 1; page <= MAX_REFUND_PAGES; page += 1) {
        const query = { per_page: PER_PAGE, page, dp: EXACT_DECIMALS };
        const result = await request(
          { method: "get", path: `orders/${orderId}/refunds`, query },
          refundListResponse,
        );
        refunds.push(...result.data);
        if (page >= result.pages) return refunds.toSorted((left, right) => left.id - right.id);
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
        // Otherwise WooCommerce would also refund through the payment gateway.
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
      return (await request({ method: "post", path: `orders/${orderId}/refunds`, body }, refundResponse)).data
        .id;
    },
    async webhooks() {
      const query = { per_page: PER_PAGE, context: "edit" };
      return (await request({ method: "get", path: "webhooks", query }, webhookListResponse)).data;
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
      const result = await request({ method: "get", path: "orders", query }, z.array(z.unknown()));
      const changes = result.data.flatMap((row) => orderChangeResponse.safeParse(row).data ?? []);
      return { changes, skipped: result.data.length - changes.length, isLast: page >= result.pages };
    },
  };
}

const describeCall = (method: string, path: string): string => `${method.toUpperCase()} ${path}`;

/** Whether the store may have rounded the total, because the total has fewer decimals than its currency. */
function mayBeRounded({ total, currency }: StoreOrder): boolean {
  try {
    return (total.split(".")[1] ?? "").length < getDigits(currency);
  } catch (error) {
    if (error instanceof UnknownCurrencyError) return false;
    throw error;
  }
}

const LINE_FIELDS = "line_items,shipping_lines,fee_lines";

function toFailure({ status, headers }: StoreResponse, isFromWordPress: boolean): StoreFailure {
  if (status >= 300 && status < 400) return "redirect";
  if (status === 429) return "rate_limit";
  if (status === 401 || status === 403) {
    if (isFromWordPress) return "credentials";
    return headers["www-authenticate"] === undefined ? "blocked" : "password";
  }
  if (status === 503) return "maintenance";
  if (status >= 500) return "failed";
  if (isFromWordPress) return "refused";
  return status === 404 ? "permalinks" : "answer";
}

const redirectTarget = ({ headers: { location } }: StoreResponse): string =>
  location === undefined ? " without a reason" : `, to ${location}`;

/** Returns the delay from `Retry-After`, at most MAX_RETRY_AFTER_MS; null if the header is missing or invalid. */
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

function networkErrorText(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return [code, error.message].filter((part) => part !== "").join(" ");
}
