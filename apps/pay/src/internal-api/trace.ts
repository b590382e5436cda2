import { CHECKOUT_PATH, checkoutTraceSchema, successEnvelope } from "@tillgate/contract";
import { callJson, createCallerHeaders, readData } from "@tillgate/service/web/internal-api";
import { config } from "#config.ts";

const traceResponse = successEnvelope(checkoutTraceSchema);

/** Time limit of the request. It is short, because the page waits for this request, and a slow API then delays the page's own request as well. */
const TIMEOUT_MS = 300;

const ORDER_PAGE = /^\/(?:pay|embed|api\/orders)\/([A-Za-z0-9_-]+)(?:\/|$)/;

/** Reads the trace of the order's creation. @returns null if there is no trace or the request fails; undefined for pages without an order */
export async function readTraceparent(path: string): Promise<string | null | undefined> {
  const token = ORDER_PAGE.exec(path)?.[1];
  if (token === undefined) return undefined;
  const headers = createCallerHeaders(config().internalKey, { address: "127.0.0.1", browser: "" }, {});
  try {
    const response = await callJson(
      { ...config(), apiTimeoutMs: TIMEOUT_MS },
      `${CHECKOUT_PATH}/orders/${token}/trace`,
      headers,
    );
    return (await readData(response, traceResponse)).traceparent;
  } catch {
    // The page's own request reports an unreachable API.
    return null;
  }
}
