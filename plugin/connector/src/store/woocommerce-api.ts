import { createRequire } from "node:module";
import type woocommerceLibrary from "@woocommerce/woocommerce-rest-api";
import { z } from "zod";

// The library is CommonJS with its class in `default`; required, because loaders disagree on what an import of it gives.
const woocommerce: typeof woocommerceLibrary = createRequire(import.meta.url)(
  "@woocommerce/woocommerce-rest-api",
);

const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** PHP prints warnings before the JSON; positions in them where the JSON could start. */
const MAX_JSON_STARTS = 100;
/** WooCommerce's error code for keys that arrived and are wrong. A dropped header gives `…_cannot_view`, `…_cannot_edit` and the like. */
const WRONG_KEYS = "woocommerce_rest_authentication_error";

export type StoreKeys = {
  /** The store's address, `https://shop.example`. */
  url: string;
  consumerKey: string;
  consumerSecret: string;
};

export type StoreCall = {
  method: "get" | "post" | "put";
  path: string;
  body?: object;
  query?: Record<string, string | number | boolean>;
};

/** The parts of an axios response that are used. */
const responseSchema = z.object({
  status: z.int(),
  data: z.unknown(),
  headers: z.looseObject({
    "x-wp-totalpages": z.coerce.number().int().nonnegative().optional(),
    "retry-after": z.string().optional(),
    "www-authenticate": z.string().optional(),
    location: z.string().optional(),
    date: z.string().optional(),
  }),
});
export type StoreResponse = z.infer<typeof responseSchema>;

const errorSchema = z.object({ code: z.string() });

export type WooCommerceApi = {
  /** @throws the network's error, without the keys, where no response came */
  send(call: StoreCall): Promise<StoreResponse>;
  /** Whether the host drops the Authorization header, so that the keys are sent in the query. */
  dropsAuthorization(): boolean;
  mask(text: string): string;
};

/**
 * Client of a WooCommerce store's REST API v3. Authenticates by OAuth 1.0a over http and by Basic over https. If a host drops the
 * `Authorization` header, the keys are sent in the query, over https only, as WooCommerce's own clients do. That is tried once: queries are
 * written to access logs.
 */
export function openWooCommerce(
  { url, consumerKey, consumerSecret }: StoreKeys,
  timeoutMs: number,
): WooCommerceApi {
  const open = (queryStringAuth: boolean) =>
    new woocommerce.default({
      url,
      consumerKey,
      consumerSecret,
      queryStringAuth,
      version: "wc/v3",
      timeout: timeoutMs,
      axiosConfig: {
        // A redirect could lead the keys elsewhere, and turns a PUT into a GET.
        maxRedirects: 0,
        maxContentLength: MAX_RESPONSE_BYTES,
        // Every status is read here, so that no error object with the keys in it is created for one.
        validateStatus: () => true,
      },
    });
  const mask = (text: string) =>
    text.replaceAll(consumerSecret, "[masked]").replaceAll(consumerKey, "[masked]");
  const isHttps = /^https:/i.test(url);
  let api = open(false);
  let isInQuery = false;
  let isQueryTried = !isHttps;

  const sendBy = async (
    by: typeof api,
    { method, path, body, query = {} }: StoreCall,
  ): Promise<StoreResponse> => {
    const answer: unknown = await (method === "get"
      ? by.get(path, query)
      : by[method](path, body ?? {}, query));
    const response = responseSchema.parse(answer);
    return { ...response, data: jsonIn(response.data) };
  };
  return {
    mask,
    dropsAuthorization: () => isInQuery,
    async send(call) {
      try {
        const response = await sendBy(api, call);
        if (response.status !== 401 || isQueryTried || hasOtherCause(response)) return response;
        // Only once, whatever comes of it: each try writes the keys to access logs.
        isQueryTried = true;
        const byQuery = open(true);
        const other = await sendBy(byQuery, call);
        if (!isAuthenticated(other)) return response;
        api = byQuery;
        isInQuery = true;
        return other;
      } catch (error) {
        // The library's error holds the keys.
        throw withoutKeys(error, mask);
      }
    },
  };
}

/** Whether WooCommerce accepted the keys. A firewall's 403 or a failing server does not show it. */
function isAuthenticated({ status, data }: StoreResponse): boolean {
  if (status >= 200 && status < 300) return true;
  return status === 400 || status === 404 ? errorSchema.safeParse(data).success : false;
}

/** Whether a 401 has another cause than a dropped header: WooCommerce read the keys, or the web server asks for its own password. */
function hasOtherCause({ data, headers }: StoreResponse): boolean {
  const { data: error } = errorSchema.safeParse(data);
  return error?.code === WRONG_KEYS || (error === undefined && headers["www-authenticate"] !== undefined);
}

function withoutKeys(error: unknown, mask: (text: string) => string): Error {
  if (!(error instanceof Error)) return new Error("unknown");
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return Object.assign(
    new Error(mask(error.message)),
    { name: error.name },
    code === undefined ? {} : { code },
  );
}

/** The JSON of a response that begins with PHP's warnings. @returns what was given where there is none */
function jsonIn(data: unknown): unknown {
  if (typeof data !== "string") return data;
  let tries = 0;
  for (const { index } of data.matchAll(/[[{]/g)) {
    tries += 1;
    if (tries > MAX_JSON_STARTS) return data;
    try {
      const value: unknown = JSON.parse(data.slice(index));
      if (typeof value === "object") return value;
    } catch {
      // The bracket is part of a warning.
    }
  }
  return data;
}
