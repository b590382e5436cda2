import { parseAddress } from "@tillgate/contract";
import { DEFAULT_MAX_RETRIES, DEFAULT_RETRY_DELAY_MS, DEFAULT_TIMEOUT_MS, MAX_RETRIES } from "./limits.js";
import type { Transport } from "./send.js";

export type ConnectionOptions = {
  /** Base URL of the API without a path, `https://api.example`. */
  baseUrl: string;
  fetch?: typeof globalThis.fetch;
  /** Timeout per attempt in milliseconds. Default 10000. */
  timeoutMs?: number;
  /** Retries after a 429, a 5xx or a failed connection, 0 to 10. Default 2. */
  maxRetries?: number;
  /** Maximum delay in milliseconds before the first retry, doubled for each further retry. `Retry-After` overrides it. Default 250. */
  retryDelayMs?: number;
};

type TransportOptions = Pick<Transport, "authorize"> & {
  path: string;
  /** Live mode: requires https, even on localhost. */
  live: boolean;
  secrets: string[];
};

/** @throws TypeError or RangeError for an invalid option. */
export function createTransport(
  options: ConnectionOptions,
  { path, authorize, live, secrets }: TransportOptions,
): Transport {
  return {
    base: `${parseOrigin(options.baseUrl, live)}${path}`,
    authorize,
    fetch: options.fetch ?? globalThis.fetch,
    timeoutMs: requireInRange("timeoutMs", options.timeoutMs ?? DEFAULT_TIMEOUT_MS, 1, 120_000),
    maxRetries: requireInRange("maxRetries", options.maxRetries ?? DEFAULT_MAX_RETRIES, 0, MAX_RETRIES),
    firstRetryDelayMs: requireInRange(
      "retryDelayMs",
      options.retryDelayMs ?? DEFAULT_RETRY_DELAY_MS,
      0,
      10_000,
    ),
    mask: (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, "[masked]"), text),
  };
}

function parseOrigin(baseUrl: string, live: boolean): string {
  const url = parseAddress(baseUrl);
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new TypeError("baseUrl must be an absolute http or https URL");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new TypeError("baseUrl must not contain credentials, a query or a fragment");
  }
  if (url.pathname !== "/") {
    throw new TypeError("baseUrl must not have a path; the client adds it");
  }
  if (live && url.protocol !== "https:") throw new TypeError("baseUrl must be an https URL in live mode");
  return url.origin;
}

function requireInRange(name: string, value: number, min: number, max: number): number {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} must be a whole number from ${min} to ${max}`);
  }
  return value;
}
