import { beforeAll, describe, expect, it } from "vitest";
import {
  cleanUpAfterwards,
  createOrder,
  createProduct,
  type Order,
  type Parameters,
  readOrder,
  realShop,
  request,
  restUrl,
} from "./store.js";

cleanUpAfterwards();

let order: Order;
let noSuchOrder: number;

beforeAll(async () => {
  const cup = await createProduct({ name: "Refused cup", regular_price: "12.50" });
  order = await createOrder({ line_items: [{ product_id: cup.id, quantity: 1 }] });
  noSuchOrder = order.id + 1_000_000;
});

const refusal = (code: string, message: string, status: number) => ({
  status,
  data: { code, message, data: { status } },
});

describe("requests for an unknown order", () => {
  const invalidId = "woocommerce_rest_shop_order_invalid_id";

  it("get 404 when they read or delete it, and 400 when they update it", async () => {
    expect(await request("get", `orders/${noSuchOrder}`)).toMatchObject(
      refusal(invalidId, "Invalid ID.", 404),
    );
    expect(await request("delete", `orders/${noSuchOrder}`, { force: true })).toMatchObject(
      refusal(invalidId, "Invalid ID.", 404),
    );
    expect(await request("put", `orders/${noSuchOrder}`, { status: "processing" })).toMatchObject(
      refusal(invalidId, "Invalid ID.", 400),
    );
  });

  it("get 404 for its notes, but an empty list for its refunds", async () => {
    expect(await request("get", `orders/${noSuchOrder}/notes`)).toMatchObject(
      refusal(invalidId, "Invalid order ID.", 404),
    );
    expect(await request("get", `orders/${noSuchOrder}/refunds`)).toMatchObject({ status: 200, data: [] });
  });

  it("get 500 when they create a refund", async () => {
    expect(
      await request("post", `orders/${noSuchOrder}/refunds`, { amount: "1.00", api_refund: false }),
    ).toMatchObject({ status: 500, data: { code: "woocommerce_rest_invalid_order_id" } });
  });
});

describe("a request with an invalid or missing parameter", () => {
  const wrong: [string, Parameters, string, string][] = [
    [
      "a status that does not exist",
      { status: "paid" },
      "status",
      "status is not one of auto-draft, pending, processing, on-hold, completed, cancelled, refunded, failed, and checkout-draft.",
    ],
    [
      "a boolean that is neither true nor false",
      { set_paid: "maybe" },
      "set_paid",
      "set_paid is not of type boolean.",
    ],
    [
      "a number instead of a string",
      { transaction_id: 5 },
      "transaction_id",
      "transaction_id is not of type string.",
    ],
  ];
  if (realShop) {
    wrong.push(
      [
        "metadata that is not an object",
        { meta_data: ["x"] },
        "meta_data",
        "meta_data[0] is not of type object.",
      ],
      ["an invalid e-mail address", { billing: { email: "nobody" } }, "billing", "Invalid email address."],
    );
  }
  for (const [problem, parameters, name, sentence] of wrong) {
    it(`gets 400 and changes nothing: ${problem}`, async () => {
      expect(
        await request("put", `orders/${order.id}`, { customer_note: "no", ...parameters }),
      ).toMatchObject({
        status: 400,
        data: {
          code: "rest_invalid_param",
          message: `Invalid parameter(s): ${name}`,
          data: { status: 400, params: { [name]: sentence } },
        },
      });
      expect(await readOrder(order.id)).toMatchObject({ status: "pending", customer_note: "" });
    });
  }

  const wrongLists: [Parameters, string, string][] = [
    [{ per_page: 101 }, "per_page", "per_page must be between 1 (inclusive) and 100 (inclusive)"],
    [{ page: 0 }, "page", "page must be greater than or equal to 1"],
    [{ modified_after: "yesterday" }, "modified_after", "Invalid date."],
  ];
  if (realShop) {
    const sentence = "orderby is not one of date, id, include, title, slug, and modified.";
    wrongLists.push([{ orderby: "colour" }, "orderby", sentence]);
  }
  for (const [parameters, name, sentence] of wrongLists) {
    it(`gets 400 when it lists orders: ${JSON.stringify(parameters)}`, async () => {
      expect(await request("get", "orders", parameters)).toMatchObject({
        status: 400,
        data: { code: "rest_invalid_param", data: { params: { [name]: sentence } } },
      });
    });
  }

  it("gets 400 for a note without text", async () => {
    expect(await request("post", `orders/${order.id}/notes`)).toMatchObject({
      status: 400,
      data: {
        code: "rest_missing_callback_param",
        message: "Missing parameter(s): note",
        data: { params: ["note"] },
      },
    });
  });

  it("gets 400 for an item without a product", async () => {
    expect(await request("post", "orders", { line_items: [{ quantity: 1 }] })).toMatchObject(
      refusal("woocommerce_rest_required_product_reference", "Product ID or SKU is required.", 400),
    );
  });
});

describe("an invalid request", () => {
  it("gets 404 for an unknown route, a non-numeric ID and an unsupported method", async () => {
    const noRoute = refusal("rest_no_route", "No route was found matching the URL and request method.", 404);
    expect(await request("get", "nothing-here")).toMatchObject(noRoute);
    expect(await request("get", "orders/abc")).toMatchObject(noRoute);
    expect(await request("delete", "orders")).toMatchObject(noRoute);
  });

  it("gets 400 for a malformed JSON body", async () => {
    const response = await fetch(`${restUrl}/orders`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{not json",
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "rest_invalid_json",
      message: "Invalid JSON body passed.",
      data: { status: 400, json_error_message: "Syntax error" },
    });
  });
});
