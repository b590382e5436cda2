import type { Call } from "./load.js";
import type { BenchMerchant, BenchShopper } from "./parties.js";
import type { System } from "./system.js";

const PAY_API = "/pay/sandbox/api/v1";
const PARTNER_API = "/api/partner/sandbox/v1";

/** Returns a function that returns the items in turn, and throws an Error if the list is empty. */
export function cycle<Item>(items: readonly Item[]): () => Item {
  let next = 0;
  return () => {
    const item = items[next % items.length];
    next += 1;
    if (item === undefined) throw new Error("The list is empty.");
    return item;
  };
}

let issued = 0;
export const createReference = (): string => {
  issued += 1;
  return `bench-${process.pid}-${issued}`;
};

export const toBasicAuth = ({ clientId, clientSecret }: BenchMerchant): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;

export const createOrder = (merchant: BenchMerchant, more: Record<string, unknown> = {}): Call => ({
  method: "POST",
  path: `${PAY_API}/orders`,
  headers: { authorization: toBasicAuth(merchant) },
  body: { amount: 12.5, currency: "EUR", reference: createReference(), ...more },
});

export const readOrder = (merchant: BenchMerchant, orderId: string): Call => ({
  method: "GET",
  path: `${PAY_API}/orders/${orderId}`,
  headers: { authorization: toBasicAuth(merchant) },
});

/** Creates one request for each kind of merchant report. @param day such as `2026-11-21`. */
export const readReports = (merchant: BenchMerchant, day: string): Call[] =>
  [
    `EUR/${day}?per_page=100`,
    "EUR/feed?per_page=100",
    `fees?month=${day.slice(0, "2026-11".length)}`,
    "wallets",
  ].map((report) => ({
    method: "GET",
    path: `${PAY_API}/reports/${report}`,
    headers: { authorization: toBasicAuth(merchant) },
  }));

export const refund = (merchant: BenchMerchant, body: Record<string, unknown>): Call => ({
  method: "POST",
  path: `${PAY_API}/refunds`,
  headers: { authorization: toBasicAuth(merchant) },
  body,
});

export const listRefunds = (merchant: BenchMerchant, page: number): Call => ({
  method: "GET",
  path: `${PAY_API}/refunds?page=${page}&per_page=20`,
  headers: { authorization: toBasicAuth(merchant) },
});

/** Creates the request for a payout of EUR 1 without a quote. The lookup token can be reused for ten minutes. */
export const payOut = (merchant: BenchMerchant, lookupToken: string): Call => ({
  method: "POST",
  path: `${PARTNER_API}/payout`,
  headers: { authorization: `Bearer ${merchant.apiToken}` },
  body: {
    lookup_token: lookupToken,
    amount: 1,
    sender_currency: "EUR",
    receiver_currency: "EUR",
    reference: createReference(),
    idempotency_key: createReference(),
  },
});

export const lookUp = (merchant: BenchMerchant, { email }: BenchShopper): Call => ({
  method: "POST",
  path: `${PARTNER_API}/lookup`,
  headers: { authorization: `Bearer ${merchant.apiToken}` },
  body: { email },
});

/** Sends a request. @returns `data` of the response. @throws Error with the response unless its status is 2xx. */
export async function call(origin: string, { method, path, headers, body }: Call): Promise<unknown> {
  const response = await fetch(origin + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${text}`);
  return JSON.parse(text).data;
}

/** Maps items in batches, each of which starts when the previous one is complete. @returns the results in the items' order. */
export async function mapInBatches<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Promise<Made>,
): Promise<Made[]> {
  const results: Made[] = [];
  for (let at = 0; at < items.length; at += BATCH)
    results.push(...(await Promise.all(items.slice(at, at + BATCH).map(make))));
  return results;
}
const BATCH = 16;

export const getOrigin = ({ sandbox }: System): string => new URL(sandbox.api).origin;

/** Reads a string field of a response's data. @throws Error if the field is missing or not a string. */
export function readText(data: unknown, key: string): string {
  const id = typeof data === "object" && data !== null ? Reflect.get(data, key) : undefined;
  if (typeof id !== "string") throw new Error(`The response has no ${key}.`);
  return id;
}
