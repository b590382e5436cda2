import { createRequire } from "node:module";
import { spanned } from "@tillgate/service/tracing";
import type woocommerceLibrary from "@woocommerce/woocommerce-rest-api";
import { z } from "zod";
import { type ObserveCall, operationOf } from "./observed-call.js";
import type { StoreAccess } from "./store-access.js";
import { StoreError } from "./store-access.js";
import {
  errorAnswer,
  noteListAnswer,
  orderAnswer,
  orderListAnswer,
  REFUND_META_KEY,
  refundAnswer,
  refundListAnswer,
  webhookListAnswer,
} from "./woocommerce-answers.js";

// The library is CommonJS with its class in `default`; required, because loaders disagree on what an import of it gives.
const woocommerce: typeof woocommerceLibrary = createRequire(import.meta.url)(
  "@woocommerce/woocommerce-rest-api",
);

/** For one call of the store, in milliseconds. A delivery has 15 s for all of its calls. */
export const DEFAULT_STORE_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const PER_PAGE = 100;
/** More refunds than this on one order are not read. */
const MAX_REFUND_PAGES = 10;

export type WooCommerceStoreOptions = {
  /** The store's address, `https://shop.example`. */
  url: string;
  consumerKey: string;
  consumerSecret: string;
  timeoutMs?: number;
  /** Told of every call that ended. */
  observe?: ObserveCall;
};

/** What axios answers, as much of it as is used. */
const responseSchema = z.object({
  status: z.int(),
  data: z.unknown(),
  headers: z.looseObject({
    "x-wp-totalpages": z.coerce.number().int().nonnegative().optional(),
    date: z.string().optional(),
  }),
});
type StoreResponse = z.infer<typeof responseSchema>;

type Call = {
  method: "get" | "post" | "put";
  path: string;
  body?: object;
  query?: Record<string, string | number | boolean>;
};

/** A WooCommerce store through its REST API v3: OAuth 1.0a over http, Basic over https, as WooCommerce takes them. */
export function woocommerceStore(options: WooCommerceStoreOptions): StoreAccess {
  const { url, consumerKey, consumerSecret, timeoutMs = DEFAULT_STORE_TIMEOUT_MS, observe } = options;
  const api = new woocommerce.default({
    url,
    consumerKey,
    consumerSecret,
    version: "wc/v3",
    timeout: timeoutMs,
    axiosConfig: {
      // A redirect could lead the keys elsewhere, and turns a PUT into a GET.
      maxRedirects: 0,
      maxContentLength: MAX_ANSWER_BYTES,
      // Every status is read here, so that no error object with the keys in it is made for one.
      validateStatus: () => true,
    },
  });
  const mask = (text: string) =>
    text.replaceAll(consumerSecret, "[masked]").replaceAll(consumerKey, "[masked]");

  /** @throws StoreError unreachable; the library's own error carries the consumer secret and goes no further */
  const send = async ({ method, path, body, query = {} }: Call): Promise<StoreResponse> => {
    const startedMs = performance.now();
    const operation = operationOf(method, path);
    const ended = (status: number | null, date: string | null) =>
      observe?.({
        operation,
        status,
        date,
        milliseconds: performance.now() - startedMs,
      });
    try {
      const answer: unknown = await spanned(`store ${operation}`, { kind: "CLIENT" }, () =>
        method === "get" ? api.get(path, query) : api[method](path, body ?? {}, query),
      );
      const response = responseSchema.parse(answer);
      ended(response.status, response.headers.date ?? null);
      return response;
    } catch (error) {
      ended(null, null);
      throw new StoreError("unreachable", `${nameOf(method, path)}: no answer (${mask(reasonOf(error))})`);
    }
  };

  /** @returns the parsed answer, or null where the store says that there is no such thing */
  const ask = async <T>(call: Call, schema: z.ZodType<T>): Promise<{ data: T; pages: number } | null> => {
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
    if (!error.success) {
      const failure = response.status >= 500 ? "failed" : "answer";
      throw new StoreError(failure, `${name}: the store answered HTTP ${response.status} without a reason`);
    }
    // A 404 of the route itself (permalinks off, plugin gone) is no word about the order.
    if (response.status === 404 && error.data.code.startsWith("woocommerce_rest_")) return null;
    const text = mask(`${name}: ${error.data.message} (${error.data.code}, HTTP ${response.status})`);
    throw new StoreError(failureOf(response.status), text);
  };

  const must = async <T>(call: Call, schema: z.ZodType<T>): Promise<{ data: T; pages: number }> => {
    const answer = await ask(call, schema);
    if (answer === null) {
      throw new StoreError("refused", `${nameOf(call.method, call.path)}: the store has no such order`);
    }
    return answer;
  };

  return {
    async order(orderId) {
      return (await ask({ method: "get", path: `orders/${orderId}` }, orderAnswer))?.data ?? null;
    },
    async change(orderId, change) {
      await must({ method: "put", path: `orders/${orderId}`, body: change }, orderAnswer);
    },
    async notes(orderId) {
      return (await must({ method: "get", path: `orders/${orderId}/notes` }, noteListAnswer)).data;
    },
    async addNote(orderId, note) {
      const call: Call = { method: "post", path: `orders/${orderId}/notes`, body: { note } };
      await must(call, z.object({ id: z.int() }));
    },
    async refunds(orderId) {
      const refunds = [];
      for (let page = 1; page <= MAX_REFUND_PAGES; page += 1) {
        const query = { per_page: PER_PAGE, page };
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
    async recordRefund(orderId, { amount, reason, tillgateRefundId }) {
      const body = {
        amount,
        reason,
        // Without this WooCommerce asks the payment gateway for the money once more.
        api_refund: false,
        api_restock: false,
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
        modified_after: since.toISOString().replace(/\.\d+Z$/, ""),
        dates_are_gmt: true,
        orderby: "modified",
        order: "asc",
        per_page: PER_PAGE,
        page,
      };
      const answer = await must({ method: "get", path: "orders", query }, orderListAnswer);
      return { orders: answer.data, isLast: page >= answer.pages };
    },
  };
}

const nameOf = (method: string, path: string): string => `${method.toUpperCase()} ${path}`;

function failureOf(status: number): "credentials" | "failed" | "refused" {
  if (status === 401 || status === 403) return "credentials";
  return status >= 500 ? "failed" : "refused";
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return [code, error.message].filter((part) => part !== "").join(" ");
}
