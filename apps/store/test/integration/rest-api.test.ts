import { createHmac, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  consumerKey,
  consumerSecret,
  countOf,
  idOf,
  type ShopUnderTest,
  startShop,
} from "../support/shop-under-test.js";

let shop: ShopUnderTest;
let mug: number;

beforeAll(async () => {
  shop = await startShop();
  mug = idOf(
    await shop.rest("POST", "products", {
      name: "Raced mug",
      regular_price: "12.50",
      manage_stock: true,
      stock_quantity: 100,
    }),
  );
});
afterAll(() => shop.stop());

const createOrder = async (fields: Record<string, unknown> = {}): Promise<number> =>
  idOf(await shop.rest("POST", "orders", { line_items: [{ product_id: mug, quantity: 2 }], ...fields }));

const stock = async (): Promise<number> => {
  const { rows } = await shop.database.query("SELECT stock_quantity FROM product WHERE id = $1", [mug]);
  return Number(rows[0]?.stock_quantity);
};

/** Returns the URL of the order list, signed with OAuth 1.0a for the shop's public URL. */
function signedAddress(nonce = randomBytes(16).toString("hex")): string {
  const parameters = {
    oauth_consumer_key: consumerKey,
    oauth_nonce: nonce,
    oauth_signature_method: "HMAC-SHA256",
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
  };
  const query = String(new URLSearchParams(parameters));
  const base = `GET&${encodeURIComponent("http://shop.example/wp-json/wc/v3/orders")}&${encodeURIComponent(query)}`;
  const signature = createHmac("sha256", `${consumerSecret}&`).update(base).digest("base64");
  return `${shop.url}/wp-json/wc/v3/orders?${query}&oauth_signature=${encodeURIComponent(signature)}`;
}

describe("REST authentication", () => {
  it("accepts a nonce once, even for simultaneous requests", async () => {
    const address = signedAddress();
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await fetch(address)).status));
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401, 401]);
  });

  it("rejects Basic authentication with a wrong secret, and creates no order", async () => {
    const before = await countOf(shop.database, "shop_order");
    const response = await fetch(`${shop.url}/wp-json/wc/v3/orders`, {
      method: "POST",
      headers: {
        Authorization: `Basic ${Buffer.from(`${consumerKey}:cs_wrong`).toString("base64")}`,
        "Content-Type": "application/json",
      },
      body: "{}",
    });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      code: "woocommerce_rest_authentication_error",
      message: "Consumer secret is invalid.",
      data: { status: 401 },
    });
    expect(await countOf(shop.database, "shop_order")).toBe(before);
  });

  it("rejects keys in the query over plain HTTP", async () => {
    const keys = `consumer_key=${consumerKey}&consumer_secret=${consumerSecret}`;
    expect((await fetch(`${shop.url}/wp-json/wc/v3/orders?${keys}`)).status).toBe(401);
  });
});

describe("REST requests", () => {
  it("return a WordPress error and create no order when too large", async () => {
    const before = await countOf(shop.database, "shop_order");
    const response = await shop.rest("POST", "orders", { customer_note: "x".repeat(1_100_000) });
    expect(response).toMatchObject({
      status: 413,
      data: { code: "rest_request_entity_too_large", data: { status: 413 } },
    });
    expect(await countOf(shop.database, "shop_order")).toBe(before);
  });

  it("create no order when one item is invalid", async () => {
    const before = await countOf(shop.database, "shop_order");
    const items = [{ product_id: mug, quantity: 1 }, { quantity: 1 }];
    expect(await shop.rest("POST", "orders", { line_items: items })).toMatchObject({ status: 400 });
    expect(await countOf(shop.database, "shop_order")).toBe(before);
  });

  it("return 404 when the order ID is too long", async () => {
    expect(await shop.rest("GET", "orders/99999999999999999999")).toMatchObject({
      status: 404,
      data: { code: "woocommerce_rest_shop_order_invalid_id" },
    });
  });

  it("cannot pollute prototypes", async () => {
    const id = await createOrder();
    const response = await fetch(`${shop.url}/wp-json/wc/v3/orders/${id}`, {
      method: "PUT",
      headers: {
        Authorization: `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString("base64")}`,
        "Content-Type": "application/json",
      },
      body: '{"__proto__":{"set_paid":true}}',
    });
    expect(await response.json()).toMatchObject({ status: "pending" });
    const query = "__proto__[set_paid]=true&constructor[prototype][set_paid]=true";
    expect((await shop.rest("PUT", `orders/${id}?${query}`)).data).toMatchObject({ status: "pending" });
  });

  it("ignore query parameters after the first thousand", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=1`).join("&");
    expect(await shop.rest("GET", `orders?${many(999)}&per_page=0`)).toMatchObject({ status: 400 });
    expect(await shop.rest("GET", `orders?${many(1000)}&per_page=0`)).toMatchObject({ status: 200 });
  });
});

describe("a refund", () => {
  it("cannot be deleted through another order, and its ID does not identify an order", async () => {
    const ownOrder = await createOrder({ set_paid: true });
    const other = await createOrder({ set_paid: true });
    const refund = idOf(
      await shop.rest("POST", `orders/${ownOrder}/refunds`, { amount: "1.00", api_refund: false }),
    );
    expect(await shop.rest("DELETE", `orders/${other}/refunds/${refund}`)).toMatchObject({ status: 404 });
    expect(await shop.rest("GET", `orders/${refund}`)).toMatchObject({ status: 404 });
    expect((await shop.rest("GET", `orders/${ownOrder}/refunds`)).data).toHaveLength(1);
  });
});

describe("concurrent REST changes", () => {
  it("pay an order only once, reducing the product's stock once and adding one note", async () => {
    const before = await stock();
    const id = await createOrder();
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        shop.rest("PUT", `orders/${id}`, { set_paid: true, transaction_id: `T${index}` }),
      ),
    );
    expect(await stock()).toBe(before - 2);
    const { data } = await shop.rest("GET", `orders/${id}/notes`);
    const changes = JSON.stringify(data).match(/Order status changed from Pending payment to Processing/g);
    expect(changes).toHaveLength(1);
  });

  it("do not refund more than was paid", async () => {
    const id = await createOrder({ set_paid: true });
    const responses = await Promise.all(
      Array.from({ length: 6 }, () =>
        shop.rest("POST", `orders/${id}/refunds`, { amount: "10.00", api_refund: false }),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 201, 500, 500, 500, 500]);
    expect((await shop.rest("GET", `orders/${id}`)).data).toMatchObject({ status: "processing" });
  });

  it("lose no updates", async () => {
    const id = await createOrder();
    const fields = {
      customer_note: "n",
      payment_method: "m",
      payment_method_title: "t",
      transaction_id: "T",
      status: "on-hold",
    };
    await Promise.all(
      Object.entries(fields).map(([name, value]) => shop.rest("PUT", `orders/${id}`, { [name]: value })),
    );
    expect((await shop.rest("GET", `orders/${id}`)).data).toMatchObject(fields);
  });

  it("do not deadlock on orders that contain the same products in a different sequence", async () => {
    const other = idOf(
      await shop.rest("POST", "products", {
        name: "Other",
        regular_price: "1.00",
        manage_stock: true,
        stock_quantity: 100,
      }),
    );
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        const items = [mug, other].map((product_id) => ({ product_id, quantity: 1 }));
        return shop.rest("POST", "orders", {
          set_paid: true,
          line_items: index % 2 === 0 ? items : items.toReversed(),
        });
      }),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
  });
});

describe("date_modified", () => {
  it("changes only when the order changes", async () => {
    const id = await createOrder({ customer_note: "same" });
    await shop.database.query("UPDATE shop_order SET modified_at = '2026-01-01T00:00:00Z' WHERE id = $1", [
      id,
    ]);
    const unchanged = await shop.rest("PUT", `orders/${id}`, { customer_note: "same", status: "pending" });
    expect(unchanged.data).toMatchObject({ date_modified_gmt: "2026-01-01T00:00:00" });
    const changed = await shop.rest("PUT", `orders/${id}`, { customer_note: "other" });
    expect(changed.data).not.toMatchObject({ date_modified_gmt: "2026-01-01T00:00:00" });
  });
});
