import { createRequire } from "node:module";
import type woocommerceLibrary from "@woocommerce/woocommerce-rest-api";
import { z } from "zod";

// The library is CommonJS with its class in `default`. Loaded with require, because loaders import it differently.
const woocommerce: typeof woocommerceLibrary = createRequire(import.meta.url)(
  "@woocommerce/woocommerce-rest-api",
);

const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** Maximum number of brackets at which parsing is tried, because PHP may print warnings before the JSON. */
const MAX_JSON_STARTS = 100;
/** WooCommerce's error code for wrong keys. A dropped header causes `…_cannot_view`, `…_cannot_edit` and the like. */
const WRONG_KEYS = "woocommerce_rest_authentication_error";

export type StoreKeys = {
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
  /** @throws the network error, without the keys, if there is no response */
  send(call: StoreCall): Promise<StoreResponse>;
  /** Whether the host drops the Authorization header; the keys are then sent in the query string. */
  dropsAuthorization(): boolean;
  mask(text: string): string;
};

/**
 * Returns a client that authenticates with OAuth 1.0a over http, and with Basic authentication over https. If the host drops the
 * `Authorization` header, the client sends the keys in the query string, over https only.
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
        // A redirect could send the keys to another host, and turns a PUT into a GET.
        maxRedirects: 0,
        maxContentLength: MAX_RESPONSE_BYTES,
        // Statuses are handled here, because the library's error objects contain the keys.
        validateStatus: () => true,
      },
    });
  const mask = (text: string) =>
    text.replaceAll(consumerSecret, "[masked]").replaceAll(consumerKey, "[masked]");
  const isHttps = /^https:/i.test(url);
  let api = open(false);
  let isInQuery = false;
  let isQueryTried = !isHttps;

  const sendWith = async (
    client: typeof api,
    { method, path, body, query = {} }: StoreCall,
  ): Promise<StoreResponse> => {
    const raw: unknown = await (method === "get"
      ? client.get(path, query)
      : client[method](path, body ?? {}, query));
    const response = responseSchema.parse(raw);
    return { ...response, data: parseJson(response.data) };
  };
  return {
    mask,
    dropsAuthorization: () => isInQuery,
    async send(call) {
      try {
        const response = await sendWith(api, call);
        if (response.status !== 401 || isQueryTried || hasOtherCause(response)) return response;
        // Tried only once, even if it fails, because each attempt writes the keys to access logs.
        isQueryTried = true;
        const queryClient = open(true);
        const queryResponse = await sendWith(queryClient, call);
        if (!isAuthenticated(queryResponse)) return response;
        api = queryClient;
        isInQuery = true;
        return queryResponse;
      } catch (error) {
        // The library's error contains the keys.
        throw maskKeys(error, mask);
      }
    },
  };
}

/** Whether the response proves that WooCommerce accepted the keys. A firewall's 403 or a server error does not prove it. */
function isAuthenticated({ status, data }: StoreResponse): boolean {
  if (status >= 200 && status < 300) return true;
  return status === 400 || status === 404 ? errorSchema.safeParse(data).success : false;
}

/** Whether a 401 has a cause other than a dropped header: the keys are wrong, or the web server requires a password. */
function hasOtherCause({ data, headers }: StoreResponse): boolean {
  const { data: error } = errorSchema.safeParse(data);
  return error?.code === WRONG_KEYS || (error === undefined && headers["www-authenticate"] !== undefined);
}

function maskKeys(error: unknown, mask: (text: string) => string): Error {
  if (!(error instanceof Error)) return new Error("unknown");
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return Object.assign(
    new Error(mask(error.message)),
    { name: error.name },
    code === undefined ? {} : { code },
  );
}

/** Parses JSON, before which PHP may have printed warnings. @returns the input if there is no JSON */
function parseJson(data: unknown): unknown {
  if (typeof data !== "string") return data;
  let attempts = 0;
  for (const { index } of data.matchAll(/[[{]/g)) {
    attempts += 1;
    if (attempts > MAX_JSON_STARTS) return data;
    try {
      const value: unknown = JSON.parse(data.slice(index));
      if (typeof value === "object") return value;
    } catch {
      // The bracket is part of a warning.
    }
  }
  return data;
}
