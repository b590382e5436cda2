import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  cleanUpAfterwards,
  createOrder,
  createProduct,
  listOrders,
  notesOf,
  type Order,
  type Product,
  REST_TIME,
  readOrder,
  realShop,
  request,
  shiftTime,
  updateOrder,
} from "./store.js";

cleanUpAfterwards();

let cup: Product;

beforeAll(async () => {
  cup = await createProduct({ name: "Listed cup", regular_price: "12.50" });
});

const orderOf = (quantity: number, fields: Record<string, unknown> = {}): Promise<Order> =>
  createOrder({ line_items: [{ product_id: cup.id, quantity }], ...fields });

describe("order fields", () => {
  it("contain amounts as strings with the shop's number of decimals, and the unit price as a number", async () => {
    expect(await orderOf(3)).toMatchObject({
      total: "37.50",
      discount_total: "0.00",
      shipping_total: "0.00",
      total_tax: "0.00",
      line_items: [{ quantity: 3, subtotal: "37.50", total: "37.50", price: 12.5, product_id: cup.id }],
    });
  });

  it("contain the creation, modification and payment times, each also as _gmt, to the second and without a time zone", async () => {
    const { id } = await orderOf(1);
    const order = await updateOrder(id, { set_paid: true });
    for (const name of ["date_created", "date_modified", "date_paid"]) {
      expect(order[name]).toMatch(REST_TIME);
      expect(order[`${name}_gmt`]).toMatch(REST_TIME);
    }
    expect(order).toMatchObject({ date_completed: null, date_completed_gmt: null });
  });

  it("contain the key, the number and the payment URL", async () => {
    const order = await orderOf(1);
    expect(order.order_key).toMatch(/^wc_order_[A-Za-z0-9]{13}$/);
    expect(order).toMatchObject({ number: String(order.id), created_via: "rest-api" });
    const address = new URL(String(order.payment_url));
    expect(address.searchParams.get("key")).toBe(order.order_key);
    expect(address.href).toContain(String(order.id));
  });

  it("store the payment method and the customer note", async () => {
    const sent = {
      payment_method: "tillgate",
      payment_method_title: "Tillgate",
      customer_note: "Ring twice",
    };
    const { id } = await orderOf(1, sent);
    expect(await readOrder(id)).toMatchObject(sent);
  });

  it.runIf(realShop)("store the billing address", async () => {
    const billing = { first_name: "Noor", last_name: "Buyer", email: "noor@example.com", city: "Oslo" };
    const { id } = await orderOf(1, { billing });
    expect(await readOrder(id)).toMatchObject({ billing });
  });

  it("include fees in the total", async () => {
    const fee_lines = [{ name: "Gift wrap", total: "1.50" }];
    const order = await orderOf(1, { fee_lines });
    expect(order).toMatchObject({ total: "14.00", fee_lines });
    expect(await updateOrder(order.id, { fee_lines: [{ name: "Less", total: "-4.00" }] })).toMatchObject({
      total: "10.00",
    });
  });

  it.runIf(realShop)(
    "show a line sold below its price as a discount, and include shipping in the total",
    async () => {
      const order = await createOrder({
        line_items: [{ product_id: cup.id, quantity: 3, subtotal: "37.50", total: "30.00" }],
        fee_lines: [{ name: "Gift wrap", total: "1.50" }],
        shipping_lines: [{ method_id: "flat_rate", method_title: "Parcel", total: "4.00" }],
      });
      expect(order).toMatchObject({
        total: "35.50",
        discount_total: "7.50",
        shipping_total: "4.00",
        fee_lines: [{ name: "Gift wrap", total: "1.50" }],
        shipping_lines: [{ method_id: "flat_rate", method_title: "Parcel", total: "4.00" }],
      });
    },
  );

  it("contain a total in which a fee with too many decimals is rounded half up", async () => {
    const order = await createOrder({ fee_lines: [{ name: "Odd", total: "1.005" }] });
    expect(order.total).toBe("1.01");
  });
});

describe.runIf(realShop)("order meta data", () => {
  it("is merged by key, removed by null, and keeps its IDs", async () => {
    const { id, meta_data } = await orderOf(1, {
      meta_data: [
        { key: "_tillgate_order_id", value: "TG-1" },
        { key: "attempt", value: "1" },
      ],
    });
    const first = meta_data.find(({ key }) => key === "_tillgate_order_id");
    expect(first?.id).toBeTypeOf("number");
    await updateOrder(id, {
      meta_data: [
        { key: "_tillgate_order_id", value: "TG-2" },
        { key: "attempt", value: null },
        { key: "other", value: "x" },
      ],
    });
    const after = (await readOrder(id)).meta_data;
    expect(after.find(({ key }) => key === "_tillgate_order_id")).toEqual({ ...first, value: "TG-2" });
    expect(after.map(({ key }) => key).toSorted()).toEqual(["_tillgate_order_id", "other"]);
  });

  it("can be changed by ID", async () => {
    const { id, meta_data } = await orderOf(1, { meta_data: [{ key: "colour", value: "moss" }] });
    await updateOrder(id, { meta_data: [{ id: meta_data[0]?.id, key: "colour", value: "oat" }] });
    expect((await readOrder(id)).meta_data).toEqual([{ ...meta_data[0], value: "oat" }]);
  });

  it("contains numbers as strings when read back", async () => {
    const { id } = await orderOf(1, { meta_data: [{ key: "count", value: 5 }] });
    expect((await readOrder(id)).meta_data).toMatchObject([{ key: "count", value: "5" }]);
  });
});

describe("order notes", () => {
  it("record each status change once", async () => {
    const { id } = await orderOf(1);
    await updateOrder(id, { status: "on-hold" });
    await updateOrder(id, { status: "on-hold" });
    await updateOrder(id, { status: "failed" });
    expect((await notesOf(id)).filter((note) => note.startsWith("Order status changed"))).toEqual([
      "Order status changed from Pending payment to On hold.",
      "Order status changed from On hold to Failed.",
    ]);
  });

  it("can be created and listed", async () => {
    const { id } = await orderOf(1);
    expect(await request("post", `orders/${id}/notes`, { note: "Packed by Noor" })).toMatchObject({
      status: 201,
      data: {
        note: "Packed by Noor",
        customer_note: false,
        author: "WooCommerce",
        date_created: expect.stringMatching(REST_TIME),
      },
    });
    expect(await notesOf(id)).toContain("Packed by Noor");
  });

  it.runIf(realShop)(
    "can be addressed to the customer, read and deleted, and are not found through another order",
    async () => {
      const { id } = await orderOf(1);
      const created = await request("post", `orders/${id}/notes`, {
        note: "Packed by Noor",
        customer_note: true,
      });
      expect(created).toMatchObject({ status: 201, data: { customer_note: true } });
      const { id: noteId } = z.looseObject({ id: z.number() }).parse(created.data);
      const other = (await orderOf(1)).id;
      expect(await request("get", `orders/${other}/notes/${noteId}`)).toMatchObject({ status: 404 });
      expect(await request("delete", `orders/${other}/notes/${noteId}`, { force: true })).toMatchObject({
        status: 404,
      });
      expect(await request("get", `orders/${id}/notes/${noteId}`)).toMatchObject({
        status: 200,
        data: { id: noteId },
      });
      expect(await request("delete", `orders/${id}/notes/${noteId}`)).toMatchObject({ status: 501 });
      expect(await request("delete", `orders/${id}/notes/${noteId}`, { force: true })).toMatchObject({
        status: 200,
      });
      expect(await request("get", `orders/${id}/notes/${noteId}`)).toMatchObject({
        status: 404,
        data: { code: "woocommerce_rest_invalid_id" },
      });
    },
  );
});

describe.runIf(realShop)("order items", () => {
  it("cannot be changed through another order", async () => {
    const { line_items } = await orderOf(1);
    const { id: other } = await orderOf(1);
    const changed = { line_items: [{ id: line_items[0]?.id, quantity: 9 }] };
    expect(await request("put", `orders/${other}`, changed)).toMatchObject({
      status: 400,
      data: { code: "woocommerce_rest_invalid_item_id" },
    });
  });
});

describe("GET /orders", () => {
  let orders: Order[];
  let include: string;

  beforeAll(async () => {
    orders = [await orderOf(1), await orderOf(2, { status: "on-hold" }), await orderOf(3)];
    include = orders.map(({ id }) => id).join(",");
  });

  const found = async (id: number, name: string, moment: string) =>
    (await listOrders({ include: String(id), [name]: moment, dates_are_gmt: true })).ids;

  const createdIds = () => orders.map(({ id }) => id).toSorted((one, other) => one - other);

  it("returns the total, the number of pages, and links to the adjacent pages", async () => {
    const { ids, headers } = await listOrders({ include, per_page: 2, page: 1 });
    expect(ids).toHaveLength(2);
    expect(headers).toMatchObject({ "x-wp-total": "3", "x-wp-totalpages": "2" });
    expect(headers.link).toMatch(/[?&]page=2.*rel="next"/);
    const second = await listOrders({ include, per_page: 2, page: 2 });
    expect(second.ids).toHaveLength(1);
    expect(second.headers.link).toMatch(/[?&]page=1.*rel="prev"/);
    expect((await listOrders({ include, per_page: 2, page: 3 })).ids).toEqual([]);
  });

  it("sorts by id in both directions", async () => {
    expect((await listOrders({ include, orderby: "id", order: "asc" })).ids).toEqual(createdIds());
    expect((await listOrders({ include, orderby: "id", order: "desc" })).ids).toEqual(
      createdIds().toReversed(),
    );
  });

  it.runIf(realShop)("filters by one or several statuses", async () => {
    const onHold = orders[1]?.id;
    expect((await listOrders({ include, status: "on-hold" })).ids).toEqual([onHold]);
    expect(
      (await listOrders({ include, status: "on-hold,pending", orderby: "id", order: "asc" })).ids,
    ).toEqual(createdIds());
    expect((await listOrders({ include, status: "completed" })).ids).toEqual([]);
  });

  it("filters by modified_after, excluding that time", async () => {
    const { id } = await orderOf(1);
    const { date_modified_gmt: changed } = await updateOrder(id, { customer_note: "changed" });
    expect(await found(id, "modified_after", shiftTime(changed, -1))).toEqual([id]);
    expect(await found(id, "modified_after", changed)).toEqual([]);
  });

  it.runIf(realShop)("filters by modified_before", async () => {
    const { id, date_modified_gmt: changed } = await orderOf(1);
    expect(await found(id, "modified_before", shiftTime(changed, 1))).toEqual([id]);
    expect(await found(id, "modified_before", changed)).toEqual([]);
  });

  it.runIf(realShop)("filters by creation time", async () => {
    const { id, date_created_gmt: created } = await orderOf(1);
    expect(await found(id, "after", shiftTime(created, -1))).toEqual([id]);
    expect(await found(id, "after", shiftTime(created, 1))).toEqual([]);
    expect(await found(id, "before", shiftTime(created, 1))).toEqual([id]);
    expect(await found(id, "before", shiftTime(created, -1))).toEqual([]);
  });

  it("finds a status change by modified_after", async () => {
    const { id } = await orderOf(1);
    const { date_modified_gmt: changed } = await updateOrder(id, { status: "cancelled" });
    const { ids } = await listOrders({
      modified_after: shiftTime(changed, -2),
      dates_are_gmt: true,
      status: "cancelled",
      per_page: 100,
    });
    expect(ids).toContain(id);
  });
});
