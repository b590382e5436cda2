import { beforeEach, describe, expect, it } from "vitest";
import {
  cleanUpAfterwards,
  createOrder,
  createProduct,
  notesOf,
  type Product,
  stockOf,
  updateOrder,
} from "./store.js";

cleanUpAfterwards();

let cup: Product;

beforeEach(async () => {
  cup = await createProduct({
    name: "Stock cup",
    regular_price: "12.50",
    manage_stock: true,
    stock_quantity: 10,
  });
});

const createOrderOfTwo = (fields: Record<string, unknown> = {}) =>
  createOrder({ line_items: [{ product_id: cup.id, quantity: 2 }], ...fields });

describe("stock", () => {
  it("is not reduced by an unpaid order", async () => {
    await createOrderOfTwo();
    expect(await stockOf(cup.id)).toBe(10);
  });

  for (const status of ["on-hold", "processing", "completed"]) {
    it(`is reduced once when the status becomes ${status}`, async () => {
      const { id } = await createOrderOfTwo();
      await updateOrder(id, { status });
      expect(await stockOf(cup.id)).toBe(8);
      await updateOrder(id, { status: "completed" });
      expect(await stockOf(cup.id)).toBe(8);
    });
  }

  it("is reduced by a payment", async () => {
    const { id } = await createOrderOfTwo();
    await updateOrder(id, { set_paid: true });
    expect(await stockOf(cup.id)).toBe(8);
    expect((await notesOf(id)).some((note) => note.startsWith("Stock levels reduced:"))).toBe(true);
  });

  for (const status of ["cancelled", "pending"]) {
    it(`is restored when the status becomes ${status}`, async () => {
      const { id } = await createOrderOfTwo({ status: "on-hold" });
      expect(await stockOf(cup.id)).toBe(8);
      await updateOrder(id, { status });
      expect(await stockOf(cup.id)).toBe(10);
      expect((await notesOf(id)).some((note) => note.startsWith("Stock levels increased:"))).toBe(true);
    });
  }

  it("is not restored when an order fails, unless the order changes to Pending first", async () => {
    const { id } = await createOrderOfTwo({ status: "on-hold" });
    await updateOrder(id, { status: "failed" });
    expect(await stockOf(cup.id)).toBe(8);
    const other = await createOrderOfTwo({ status: "on-hold" });
    expect(await stockOf(cup.id)).toBe(6);
    await updateOrder(other.id, { status: "pending" });
    await updateOrder(other.id, { status: "failed" });
    expect(await stockOf(cup.id)).toBe(8);
  });

  it("is reduced again if a cancelled order becomes Processing", async () => {
    const { id } = await createOrderOfTwo({ status: "on-hold" });
    await updateOrder(id, { status: "cancelled" });
    expect(await stockOf(cup.id)).toBe(10);
    await updateOrder(id, { status: "processing" });
    expect(await stockOf(cup.id)).toBe(8);
  });
});
