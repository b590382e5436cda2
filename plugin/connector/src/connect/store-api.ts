import { createRequire } from "node:module";
import type woocommerceLibrary from "@woocommerce/woocommerce-rest-api";
import { z } from "zod";
import { type Answer, CHECK_TIMEOUT_MS, dateIn, reasonOf } from "./answer.js";

// The library is CommonJS with its class in `default`; required, because loaders disagree on what an import of it gives.
const woocommerce: typeof woocommerceLibrary = createRequire(import.meta.url)(
  "@woocommerce/woocommerce-rest-api",
);

export type StoreKeys = {
  url: string;
  consumerKey: string;
  consumerSecret: string;
};

export type StoreApi = {
  get(path: string, query?: Record<string, string | number>): Promise<Answer>;
  post(path: string, body: object): Promise<Answer>;
  put(path: string, body: object): Promise<Answer>;
};

const responseSchema = z.object({
  status: z.int(),
  data: z.unknown(),
  headers: z.looseObject({ date: z.unknown().optional(), location: z.unknown().optional() }),
});

/** The store's REST API, with every status as an answer. */
export function openStoreApi({ url, consumerKey, consumerSecret }: StoreKeys): StoreApi {
  const api = new woocommerce.default({
    url,
    consumerKey,
    consumerSecret,
    version: "wc/v3",
    timeout: CHECK_TIMEOUT_MS,
    axiosConfig: { maxRedirects: 0, validateStatus: () => true },
  });
  const mask = (text: string) =>
    text.replaceAll(consumerSecret, "[masked]").replaceAll(consumerKey, "[masked]");
  const answered = async (call: Promise<unknown>): Promise<Answer> => {
    try {
      const { status, data, headers } = responseSchema.parse(await call);
      const location = typeof headers.location === "string" ? headers.location : null;
      return { status, body: data, isPage: typeof data === "string", date: dateIn(headers.date), location };
    } catch (error) {
      // The library's error holds the keys, so only its reason is passed on.
      return { status: null, reason: mask(reasonOf(error)) };
    }
  };
  return {
    get: (path, query = {}) => answered(api.get(path, query)),
    post: (path, body) => answered(api.post(path, body)),
    put: (path, body) => answered(api.put(path, body)),
  };
}

const errorSchema = z.object({ code: z.string(), message: z.string() });

/** WordPress's own words about a refusal; empty where it gave none. */
export function refusalIn(answer: Answer): { code: string; message: string } {
  const parsed = answer.status === null ? undefined : errorSchema.safeParse(answer.body);
  return parsed?.success ? parsed.data : { code: "", message: "" };
}
