import { beforeAll, describe, expect, it } from "vitest";
import {
  cleanUpAfterwards,
  createOrder,
  createProduct,
  createRefund,
  listRefunds,
  notesOf,
  type Order,
  type Product,
  REST_TIME,
  readOrder,
  realShop,
  request,
  stockOf,
  updateOrder,
} from "./store.js";

cleanUpAfterwards();

let cup: Product;

beforeAll(async () => {
  cup = await createProduct({
    name: "Refund cup",
    regular_price: "12.50",
    manage_stock: true,
    stock_quantity: 100,
  });
});

/** Creates a paid order of two cups, 25.00 in total. */
const paidOrder = (): Promise<Order> =>
  createOrder({ line_items: [{ product_id: cup.id, quantity: 2 }], set_paid: true });

describe("POST /orders/{id}/refunds", () => {
  it("records a refund if api_refund is false, and keeps the order's status while an amount remains", async () => {
    const { id } = await paidOrder();
    const refund = await createRefund(id, {
      amount: "5.00",
      reason: "One was chipped",
      api_refund: false,
      meta_data: [{ key: "_tillgate_refund_id", value: "RF-1" }],
    });
    expect(refund).toMatchObject({
      amount: "5.00",
      reason: "One was chipped",
      refunded_payment: false,
      date_created: expect.stringMatching(REST_TIME),
      meta_data: [{ key: "_tillgate_refund_id", value: "RF-1" }],
    });
    expect(await readOrder(id)).toMatchObject({
      status: "processing",
      total: "25.00",
      refunds: [{ id: refund.id, reason: "One was chipped", total: "-5.00" }],
    });
    expect(await listRefunds(id)).toMatchObject([
      { id: refund.id, meta_data: [{ key: "_tillgate_refund_id", value: "RF-1" }] },
    ]);
  });

  it("sets the order to Refunded if the refund is for the full amount", async () => {
    const { id } = await paidOrder();
    const { id: refundId } = await createRefund(id, { amount: "25.00", api_refund: false });
    expect(await readOrder(id)).toMatchObject({
      status: "refunded",
      refunds: [{ id: refundId, total: "-25.00" }],
    });
    expect(await notesOf(id)).toContain("Order status changed from Processing to Refunded.");
  });

  it("sets the order to Refunded when partial refunds reach its total", async () => {
    const { id } = await paidOrder();
    await createRefund(id, { amount: "20.00", api_refund: false });
    expect(await readOrder(id)).toMatchObject({ status: "processing" });
    await createRefund(id, { amount: "5.00", api_refund: false });
    const { status, refunds } = await readOrder(id);
    expect(status).toBe("refunded");
    expect(refunds.map(({ total }) => total).toSorted()).toEqual(["-20.00", "-5.00"]);
  });

  for (const [apiRefund, fields] of [
    ["left out", {}],
    ["true", { api_refund: true }],
  ] as const) {
    it(`returns 500 with api_refund ${apiRefund} and writes nothing if no gateway can refund`, async () => {
      const { id } = await paidOrder();
      expect(await request("post", `orders/${id}/refunds`, { amount: "5.00", ...fields })).toMatchObject({
        status: 500,
        data: {
          code: "woocommerce_rest_cannot_create_order_refund",
          message: "The payment gateway for this order does not exist.",
        },
      });
      expect(await listRefunds(id)).toEqual([]);
      expect(await readOrder(id)).toMatchObject({ status: "processing", refunds: [] });
    });
  }

  it("returns 500 for more than the remaining amount", async () => {
    const { id } = await paidOrder();
    await createRefund(id, { amount: "20.00", api_refund: false });
    expect(
      await request("post", `orders/${id}/refunds`, { amount: "5.01", api_refund: false }),
    ).toMatchObject({
      status: 500,
      data: { code: "woocommerce_rest_cannot_create_order_refund", message: "Invalid refund amount." },
    });
    expect(await listRefunds(id)).toHaveLength(1);
  });

  it("rejects a negative amount", async () => {
    const { id } = await paidOrder();
    expect(
      await request("post", `orders/${id}/refunds`, { amount: "-1.00", api_refund: false }),
    ).toMatchObject({
      status: 500,
      data: {
        code: "woocommerce_rest_invalid_order_refund",
        message: "Refund amount must be greater than zero.",
      },
    });
  });

  it("rejects an amount that is a number instead of a string", async () => {
    const { id } = await paidOrder();
    expect(await request("post", `orders/${id}/refunds`, { amount: 5, api_refund: false })).toMatchObject({
      status: 400,
      data: {
        code: "rest_invalid_param",
        data: { params: { amount: "amount is not of type string." } },
      },
    });
  });

  it.runIf(realShop)("derives the amount from line items and restocks them", async () => {
    const { id, line_items } = await paidOrder();
    const before = await stockOf(cup.id);
    const refund = await createRefund(id, {
      api_refund: false,
      line_items: [{ id: line_items[0]?.id, quantity: 1, refund_total: 12.5 }],
    });
    expect(refund).toMatchObject({
      amount: "12.50",
      line_items: [{ quantity: -1, total: "-12.50", product_id: cup.id }],
    });
    expect(await stockOf(cup.id)).toBe((before ?? 0) + 1);
  });

  it.runIf(realShop)("does not restock if api_restock is false", async () => {
    const { id, line_items } = await paidOrder();
    const before = await stockOf(cup.id);
    await createRefund(id, {
      api_refund: false,
      api_restock: false,
      line_items: [{ id: line_items[0]?.id, quantity: 1, refund_total: 12.5 }],
    });
    expect(await stockOf(cup.id)).toBe(before);
  });

  it("does not restock if the refund has no line items, even if the order becomes Refunded", async () => {
    const { id } = await paidOrder();
    const before = await stockOf(cup.id);
    await createRefund(id, { amount: "25.00", api_refund: false });
    expect(await stockOf(cup.id)).toBe(before);
  });

  it.runIf(realShop)("creates a refund that can be read only through its order", async () => {
    const { id } = await paidOrder();
    const refund = await createRefund(id, { amount: "25.00", api_refund: false });
    expect(await request("get", `orders/${id}/refunds/${refund.id}`)).toMatchObject({
      status: 200,
      data: { id: refund.id, amount: "25.00" },
    });
    const other = (await paidOrder()).id;
    expect(await request("get", `orders/${other}/refunds/${refund.id}`)).toMatchObject({ status: 404 });
  });

  it("creates a refund that can be deleted without changing the order's status", async () => {
    const { id } = await paidOrder();
    const refund = await createRefund(id, { amount: "25.00", api_refund: false });
    expect(await request("delete", `orders/${id}/refunds/${refund.id}`, { force: true })).toMatchObject({
      status: 200,
    });
    expect(await listRefunds(id)).toEqual([]);
    expect(await readOrder(id)).toMatchObject({ status: "refunded", refunds: [] });
  });
});

describe("status Refunded", () => {
  it("records a refund of the remaining amount when it is set manually", async () => {
    const { id } = await paidOrder();
    await createRefund(id, { amount: "5.00", api_refund: false });
    await updateOrder(id, { status: "refunded" });
    const { status, refunds } = await readOrder(id);
    expect(status).toBe("refunded");
    expect(refunds).toHaveLength(2);
    expect(refunds).toContainEqual(
      expect.objectContaining({ reason: "Order fully refunded.", total: "-20.00" }),
    );
    expect(await notesOf(id)).toContain("Order status changed from Processing to Refunded.");
  });
});
