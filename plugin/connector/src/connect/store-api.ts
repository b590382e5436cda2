import { z } from "zod";
import { openWooCommerce, type StoreCall, type StoreKeys } from "../store/woocommerce-api.js";
import { CHECK_TIMEOUT_MS, type CheckResponse, failureReason, parseDate } from "./check-request.js";

export type StoreApi = {
  get(path: string, query?: Record<string, string | number>): Promise<CheckResponse>;
  post(path: string, body: object): Promise<CheckResponse>;
  put(path: string, body: object): Promise<CheckResponse>;
  dropsAuthorization(): boolean;
};

/** Opens a client whose requests never throw. Without a response, the status is null. */
export function openStoreApi(keys: StoreKeys): StoreApi {
  const api = openWooCommerce(keys, CHECK_TIMEOUT_MS);
  const send = async (call: StoreCall): Promise<CheckResponse> => {
    try {
      const { status, data, headers } = await api.send(call);
      const { date, location = null } = headers;
      return { status, body: data, isPage: typeof data === "string", date: parseDate(date), location };
    } catch (error) {
      return { status: null, reason: failureReason(error) };
    }
  };
  return {
    get: (path, query = {}) => send({ method: "get", path, query }),
    post: (path, body) => send({ method: "post", path, body }),
    put: (path, body) => send({ method: "put", path, body }),
    dropsAuthorization: api.dropsAuthorization,
  };
}

const errorSchema = z.object({ code: z.string(), message: z.string() });

/** Returns WordPress's error code and message; both are empty if the response has none. */
export function parseStoreError(response: CheckResponse): { code: string; message: string } {
  const parsed = response.status === null ? undefined : errorSchema.safeParse(response.body);
  return parsed?.success ? parsed.data : { code: "", message: "" };
}

export function describeFailure(response: CheckResponse): string {
  if (response.status === null) return response.reason;
  const { message } = parseStoreError(response);
  return message === "" ? `HTTP ${response.status}` : `“${message}” (HTTP ${response.status})`;
}
