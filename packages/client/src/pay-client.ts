import { type Mode, PAY_API_PATH } from "@tillgate/contract";
import { DEFAULT_MAX_RETRIES, DEFAULT_RETRY_DELAY_MS, DEFAULT_TIMEOUT_MS, MAX_RETRIES } from "./limits.js";
import { type Orders, ordersOf } from "./orders.js";
import { type Refunds, refundsOf } from "./refunds.js";
import type { Line } from "./send.js";

export interface PayClientOptions {
  /** The address of the API without a path, `https://api.example`. */
  baseUrl: string;
  /** Must be the mode the credential belongs to. */
  mode: Mode;
  clientId: string;
  clientSecret: string;
  /** The fetch to call with; the platform's where left out. */
  fetch?: typeof globalThis.fetch;
  /** For one try, in milliseconds. Default 10000. */
  timeoutMs?: number;
  /** Further tries after a 429, a 5xx or a failed connection, 0 to 10. Default 2. */
  maxRetries?: number;
  /** The wait before the first of them, in milliseconds, doubling after. Default 250. */
  retryDelayMs?: number;
}

export interface PayClient {
  readonly mode: Mode;
  readonly orders: Orders;
  readonly refunds: Refunds;
}

/**
 * A client of the Pay API: orders and refunds, with Basic credentials.
 *
 * @throws TypeError or RangeError where an option can not be used; its text never repeats a secret
 */
export function createPayClient(options: PayClientOptions): PayClient {
  const line = openLine(options);
  return { mode: options.mode, orders: ordersOf(line), refunds: refundsOf(line) };
}

function openLine(options: PayClientOptions): Line {
  const { mode, clientId, clientSecret } = options;
  if (clientId === "" || clientId.includes(":")) throw new TypeError("clientId must be text without a colon");
  if (clientSecret === "") throw new TypeError("clientSecret must not be empty");
  const credentials = Buffer.from(`${clientId}:${clientSecret}`, "utf8").toString("base64");
  return {
    base: `${originOf(options.baseUrl)}${PAY_API_PATH[mode]}`,
    authorization: `Basic ${credentials}`,
    fetch: options.fetch ?? globalThis.fetch,
    timeoutMs: within("timeoutMs", options.timeoutMs ?? DEFAULT_TIMEOUT_MS, 1, 120_000),
    maxRetries: within("maxRetries", options.maxRetries ?? DEFAULT_MAX_RETRIES, 0, MAX_RETRIES),
    firstRetryDelayMs: within("retryDelayMs", options.retryDelayMs ?? DEFAULT_RETRY_DELAY_MS, 0, 10_000),
    mask: (text) => text.replaceAll(credentials, "[masked]").replaceAll(clientSecret, "[masked]"),
  };
}

function originOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new TypeError("baseUrl must be an absolute http or https address");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new TypeError("baseUrl must have no credentials, query or fragment");
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function within(name: string, value: number, min: number, max: number): number {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} must be a whole number from ${min} to ${max}`);
  }
  return value;
}
