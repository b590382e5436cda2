import { z } from "zod";
import { openWooCommerce, type StoreCall, type StoreKeys } from "../store/woocommerce-api.js";
import { type Answer, CHECK_TIMEOUT_MS, dateIn, reasonOf } from "./answer.js";

export type StoreApi = {
  get(path: string, query?: Record<string, string | number>): Promise<Answer>;
  post(path: string, body: object): Promise<Answer>;
  put(path: string, body: object): Promise<Answer>;
  /** Whether the host drops the Authorization header. */
  dropsAuthorization(): boolean;
};

/** The store's REST API, with every status as an answer. */
export function openStoreApi(keys: StoreKeys): StoreApi {
  const api = openWooCommerce(keys, CHECK_TIMEOUT_MS);
  const answered = async (call: StoreCall): Promise<Answer> => {
    try {
      const { status, data, headers } = await api.send(call);
      const { date, location = null } = headers;
      return { status, body: data, isPage: typeof data === "string", date: dateIn(date), location };
    } catch (error) {
      return { status: null, reason: reasonOf(error) };
    }
  };
  return {
    get: (path, query = {}) => answered({ method: "get", path, query }),
    post: (path, body) => answered({ method: "post", path, body }),
    put: (path, body) => answered({ method: "put", path, body }),
    dropsAuthorization: api.dropsAuthorization,
  };
}

const errorSchema = z.object({ code: z.string(), message: z.string() });

/** WordPress's own words about a refusal; empty where it gave none. */
export function refusalIn(answer: Answer): { code: string; message: string } {
  const parsed = answer.status === null ? undefined : errorSchema.safeParse(answer.body);
  return parsed?.success ? parsed.data : { code: "", message: "" };
}
