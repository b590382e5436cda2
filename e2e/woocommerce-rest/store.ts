import { createRequire } from "node:module";
import { afterAll } from "vitest";
import { z } from "zod";

function setting(...names: string[]): string {
  for (const name of names) {
    const value = process.env[name];
    if (value) return value;
  }
  throw new Error(`${names.join(" or ")} is not set: this suite needs a WooCommerce store.`);
}

/** The store under test. */
export const storeUrl = setting("WOO_URL").replace(/\/+$/, "");
export const consumerKey = setting("WOO_KEY", "WOO_CONSUMER_KEY");
export const consumerSecret = setting("WOO_SECRET", "WOO_CONSUMER_SECRET");

/**
 * Whether the store runs WooCommerce. The demo shop (scripts/testing/demo-shop.ts) implements only a subset of WooCommerce's
 * REST API. Tests of anything outside this subset are marked `runIf(realShop)`.
 */
export const realShop = process.env.WOO_IS_DEMO_SHOP !== "yes";

export const restUrl = `${storeUrl}/wp-json/wc/v3`;

/** A response with any status. */
export type Reply = {
  status: number;
  data: unknown;
  headers: Record<string, unknown>;
};

export type Parameters = Record<string, unknown>;
type Method = "get" | "post" | "put" | "delete";

// A CommonJS library marked as an ES module, whose default import differs between Node and Vitest.
const library: typeof import("@woocommerce/woocommerce-rest-api") = createRequire(import.meta.url)(
  "@woocommerce/woocommerce-rest-api",
);

/** The public client library as integrations use it: OAuth 1.0a over HTTP, Basic over HTTPS. */
const client = new library.default({
  url: storeUrl,
  consumerKey,
  consumerSecret,
  version: "wc/v3",
  timeout: 30_000,
  // The tests check the status themselves.
  axiosConfig: { validateStatus: () => true },
});

const reply = z.object({
  status: z.number(),
  data: z.unknown(),
  // The library returns a class instance.
  headers: z.preprocess((given) => ({ ...Object(given) }), z.record(z.string(), z.unknown())),
});

/** Sends a request, with the parameters in the body for `post` and `put`, and otherwise in the query. */
export async function request(method: Method, path: string, parameters: Parameters = {}): Promise<Reply> {
  const response: unknown = await client[method](path, parameters);
  const { status, data, headers } = reply.parse(response);
  return { status, data, headers };
}

/** Sends a request. @returns the response body @throws Error for a status of 300 or more */
async function requestOk(method: Method, path: string, parameters: Parameters = {}): Promise<unknown> {
  const { status, data } = await request(method, path, parameters);
  if (status >= 300)
    throw new Error(`${method.toUpperCase()} ${path} responded with ${status}: ${JSON.stringify(data)}`);
  return data;
}

const metaData = z.array(z.object({ id: z.number(), key: z.string(), value: z.unknown() }));

const order = z.looseObject({
  id: z.number(),
  status: z.string(),
  order_key: z.string(),
  total: z.string(),
  transaction_id: z.string(),
  date_created_gmt: z.string(),
  date_modified_gmt: z.string(),
  date_paid: z.string().nullable(),
  date_completed: z.string().nullable(),
  needs_payment: z.boolean(),
  meta_data: metaData,
  line_items: z.array(z.looseObject({ id: z.number(), total: z.string() })),
  refunds: z.array(z.object({ id: z.number(), reason: z.string(), total: z.string() })),
});
export type Order = z.infer<typeof order>;

const refund = z.looseObject({
  id: z.number(),
  amount: z.string(),
  reason: z.string(),
  refunded_payment: z.boolean(),
  meta_data: metaData,
});
export type Refund = z.infer<typeof refund>;

const note = z.looseObject({ id: z.number(), note: z.string(), customer_note: z.boolean() });

const product = z.looseObject({ id: z.number(), stock_quantity: z.number().nullable() });
export type Product = z.infer<typeof product>;

const madeOrders: number[] = [];
const madeProducts: number[] = [];

/** Creates a product, which {@link cleanUpAfterwards} removes. */
export async function createProduct(fields: Parameters): Promise<Product> {
  const created = product.parse(await requestOk("post", "products", fields));
  madeProducts.push(created.id);
  return created;
}

/** Creates an order, which {@link cleanUpAfterwards} removes. */
export async function createOrder(fields: Parameters): Promise<Order> {
  const created = order.parse(await requestOk("post", "orders", fields));
  madeOrders.push(created.id);
  return created;
}

/** Removes the orders and products of the calling test file after its tests. Call it once per file. */
export function cleanUpAfterwards(): void {
  afterAll(async () => {
    for (const id of madeOrders.splice(0)) await request("delete", `orders/${id}`, { force: true });
    for (const id of madeProducts.splice(0)) await request("delete", `products/${id}`, { force: true });
  });
}

export const readOrder = async (id: number): Promise<Order> =>
  order.parse(await requestOk("get", `orders/${id}`));

export const updateOrder = async (id: number, fields: Parameters): Promise<Order> =>
  order.parse(await requestOk("put", `orders/${id}`, fields));

/** Reads a product's stock; null if WooCommerce does not manage it. */
export const stockOf = async (id: number): Promise<number | null> =>
  product.parse(await requestOk("get", `products/${id}`)).stock_quantity;

export const createRefund = async (orderId: number, fields: Parameters): Promise<Refund> =>
  refund.parse(await requestOk("post", `orders/${orderId}/refunds`, fields));

export const listRefunds = async (orderId: number): Promise<Refund[]> =>
  z.array(refund).parse(await requestOk("get", `orders/${orderId}/refunds`));

/** Reads the texts of an order's notes, oldest first. */
export async function notesOf(orderId: number): Promise<string[]> {
  const notes = z.array(note).parse(await requestOk("get", `orders/${orderId}/notes`));
  return notes.toSorted((one, other) => one.id - other.id).map((one) => one.note);
}

/** Lists orders with these query parameters. @returns their IDs in the order of the response, and the response headers */
export async function listOrders(
  parameters: Parameters,
): Promise<{ ids: number[]; headers: Record<string, unknown> }> {
  const { status, data, headers } = await request("get", "orders", parameters);
  if (status !== 200) throw new Error(`GET /orders responded with ${status}: ${JSON.stringify(data)}`);
  return {
    ids: z
      .array(order)
      .parse(data)
      .map(({ id }) => id),
    headers,
  };
}

/** Adds seconds, which may be negative, to a UTC time in the REST API's format. */
export const shiftTime = (moment: string, seconds: number): string =>
  new Date(Date.parse(`${moment}Z`) + seconds * 1000).toISOString().slice(0, 19);

/** Time format of the REST API: to the second, without a time zone. */
export const REST_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/;

/**
 * Calls `check` every 250 ms until it returns a value other than undefined.
 * @param what the subject of the error message: "… did not happen"
 * @throws the error of `check`, immediately, or an Error after the timeout
 */
export async function eventually<Result>(
  what: string,
  check: () => Promise<Result | undefined> | Result | undefined,
  timeoutMs = 40_000,
): Promise<Result> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const result = await check();
    if (result !== undefined) return result;
    if (Date.now() > end) throw new Error(`${what} did not happen within ${timeoutMs / 1000} s.`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
