import { beforeAll, describe, expect, it } from "vitest";
import {
  cleanUpAfterwards,
  createOrder,
  createProduct,
  notesOf,
  type Product,
  REST_TIME,
  readOrder,
  request,
  updateOrder,
} from "./store.js";

cleanUpAfterwards();

let cup: Product;
let pattern: Product;

beforeAll(async () => {
  cup = await createProduct({ name: "Fact cup", regular_price: "12.50" });
  pattern = await createProduct({
    name: "Fact pattern",
    regular_price: "5.00",
    virtual: true,
    downloadable: true,
  });
});

const orderOf = (product: Product, fields: Record<string, unknown> = {}) =>
  createOrder({ line_items: [{ product_id: product.id, quantity: 2 }], ...fields });

describe("set_paid", () => {
  it("changes a Pending order to Processing, and stores the transaction ID and the payment time", async () => {
    const { id, status, date_paid } = await orderOf(cup);
    expect({ status, date_paid }).toEqual({ status: "pending", date_paid: null });
    const paid = await updateOrder(id, { set_paid: true, transaction_id: "TRX-1" });
    expect(paid).toMatchObject({
      status: "processing",
      transaction_id: "TRX-1",
      date_paid: expect.stringMatching(REST_TIME),
      date_completed: null,
      needs_payment: false,
    });
    expect(await readOrder(id)).toMatchObject({ status: "processing", transaction_id: "TRX-1" });
  });

  it("changes a Failed order to Processing", async () => {
    const { id } = await orderOf(cup, { status: "failed" });
    expect(await updateOrder(id, { set_paid: true, transaction_id: "TRX-2" })).toMatchObject({
      status: "processing",
      transaction_id: "TRX-2",
      date_paid: expect.stringMatching(REST_TIME),
    });
  });

  it("sets an order to Completed if every item is virtual and downloadable", async () => {
    const { id } = await orderOf(pattern);
    expect(await updateOrder(id, { set_paid: true, transaction_id: "TRX-3" })).toMatchObject({
      status: "completed",
      date_paid: expect.stringMatching(REST_TIME),
      date_completed: expect.stringMatching(REST_TIME),
    });
  });

  it("sets an order to Processing if one item is not virtual", async () => {
    const { id } = await createOrder({
      line_items: [
        { product_id: pattern.id, quantity: 1 },
        { product_id: cup.id, quantity: 1 },
      ],
    });
    expect(await updateOrder(id, { set_paid: true })).toMatchObject({ status: "processing" });
  });

  for (const from of ["on-hold", "cancelled"]) {
    it(`returns 200 for an order in status ${from} and changes neither status nor date_paid`, async () => {
      const { id } = await orderOf(cup, { status: from });
      const response = await request("put", `orders/${id}`, { set_paid: true, transaction_id: "TRX-4" });
      expect(response).toMatchObject({ status: 200, data: { status: from, date_paid: null } });
      expect(await readOrder(id)).toMatchObject({ status: from, date_paid: null });
    });
  }

  it("marks a new order as paid when it is created", async () => {
    expect(await orderOf(cup, { set_paid: true, transaction_id: "TRX-5" })).toMatchObject({
      status: "processing",
      transaction_id: "TRX-5",
      date_paid: expect.stringMatching(REST_TIME),
    });
  });

  it("writes one note about the status change, even if it is sent twice", async () => {
    const { id } = await orderOf(cup);
    await updateOrder(id, { set_paid: true });
    await updateOrder(id, { set_paid: true });
    const change = "Order status changed from Pending payment to Processing.";
    expect((await notesOf(id)).filter((note) => note === change)).toHaveLength(1);
  });
});

describe("date_paid", () => {
  for (const from of ["on-hold", "cancelled"]) {
    it(`is set by a change from ${from} to Processing`, async () => {
      const { id } = await orderOf(cup, { status: from });
      expect(await updateOrder(id, { status: "processing", transaction_id: "TRX-6" })).toMatchObject({
        status: "processing",
        transaction_id: "TRX-6",
        date_paid: expect.stringMatching(REST_TIME),
      });
    });
  }

  it("is ignored in an update", async () => {
    const { id } = await orderOf(cup);
    expect(await updateOrder(id, { date_paid: "2020-01-02T03:04:05" })).toMatchObject({
      status: "pending",
      date_paid: null,
    });
  });

  it("is kept if a paid order is cancelled", async () => {
    const { id } = await orderOf(cup);
    const { date_paid } = await updateOrder(id, { set_paid: true });
    expect(await updateOrder(id, { status: "cancelled" })).toMatchObject({ status: "cancelled", date_paid });
  });
});

describe("needs_payment", () => {
  const expected = {
    pending: true,
    failed: true,
    "on-hold": false,
    cancelled: false,
    processing: false,
    completed: false,
  };
  for (const [status, needed] of Object.entries(expected)) {
    it(`is ${needed} for ${status}`, async () => {
      expect(await orderOf(cup, { status })).toMatchObject({ status, needs_payment: needed });
    });
  }

  it("is false for a free order", async () => {
    expect(await createOrder({})).toMatchObject({ total: "0.00", needs_payment: false });
  });
});
