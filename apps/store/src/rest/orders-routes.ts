import type { Router } from "express";
import { z } from "zod";
import { limits } from "../config.js";
import { createOrder, type OrderFields, updateOrder } from "../orders/create-order.js";
import { listOrders } from "../orders/list-orders.js";
import { addNote, listNotes, type NoteRow } from "../orders/notes.js";
import { findOrder, lockOrder, type Order, orderStatuses } from "../orders/order.js";
import { UnknownProduct } from "../orders/order-items.js";
import { listRefunds } from "../orders/refunds.js";
import { queueDeliveries } from "../webhooks/webhook.js";
import { toOrderView } from "./order-view.js";
import * as parameter from "./parameters.js";
import {
  formatRestDate,
  type RestContext,
  RestError,
  readParameters,
  readPathId,
  setListHeaders,
} from "./rest-request.js";

const writable = {
  status: parameter.oneOf(orderStatuses).optional(),
  customer_note: parameter.text.optional(),
  payment_method: parameter.text.optional(),
  payment_method_title: parameter.text.optional(),
  transaction_id: parameter.text.optional(),
  set_paid: parameter.boolean.optional(),
  fee_lines: z
    .array(z.object({ name: parameter.text, total: parameter.amount }))
    .max(limits.orderItems)
    .optional(),
};

const writableOnce = {
  line_items: z
    .array(
      z.object({ product_id: parameter.integer(1).optional(), quantity: parameter.integer(1).default(1) }),
    )
    .max(limits.orderItems)
    .default([]),
};

const toFields = (written: z.output<z.ZodObject<typeof writable>>): OrderFields => ({
  customerNote: written.customer_note,
  paymentMethod: written.payment_method,
  paymentMethodTitle: written.payment_method_title,
  transactionId: written.transaction_id,
  fees: written.fee_lines?.map(({ name, total }) => ({ name, total })),
  status: written.status,
  setPaid: written.set_paid,
});

const toLine = ({ product_id, quantity }: { product_id?: number | undefined; quantity: number }) => {
  if (product_id !== undefined) return { productId: BigInt(product_id), quantity };
  const message = "Product ID or SKU is required.";
  throw new RestError("woocommerce_rest_required_product_reference", message, 400);
};

const listParameters = {
  ...parameter.collection,
  include: parameter.ids.optional(),
  modified_after: parameter.moment.optional(),
  orderby: parameter.oneOf(["date", "id", "modified"]).default("date"),
  order: parameter.oneOf(["asc", "desc"]).default("desc"),
};

const invalidId = (status: number, message = "Invalid ID."): RestError =>
  new RestError("woocommerce_rest_shop_order_invalid_id", message, status);

export function addOrderRoutes(router: Router, { database, storeUrl, currency }: RestContext): void {
  const view = async (order: Order): Promise<Record<string, unknown>> =>
    toOrderView(order, await listRefunds(database, [order.id]), storeUrl);

  router.get("/orders", async (request, response) => {
    const query = parameter.parseParameters(listParameters, readParameters(request));
    const { page, per_page: perPage } = query;
    const { orders, total } = await listOrders(database, {
      include: query.include,
      modifiedAfter: query.modified_after,
      orderBy: query.orderby,
      direction: query.order,
      page,
      perPage,
    });
    const refunds = await listRefunds(
      database,
      orders.map(({ id }) => id),
    );
    setListHeaders(request, response, { storeUrl, total, page, perPage });
    response.json(orders.map((order) => toOrderView(order, refunds, storeUrl)));
  });

  router.post("/orders", async (request, response) => {
    const written = parameter.parseParameters({ ...writable, ...writableOnce }, readParameters(request));
    const lines = written.line_items.map(toLine);
    const order = await database
      .transaction((transaction) =>
        createOrder(transaction, { ...toFields(written), lines, currency, createdVia: "rest-api" }),
      )
      .catch((error: unknown) => {
        if (!(error instanceof UnknownProduct)) throw error;
        throw new RestError("order_item_product_invalid_product_id", "Invalid product ID", 400);
      });
    response.status(201).json(await view(order));
  });

  router.get("/orders/:id", async (request, response) => {
    const order = await findOrder(database, readPathId(request, "id"));
    if (!order) throw invalidId(404);
    response.json(await view(order));
  });

  router.put("/orders/:id", async (request, response) => {
    const id = readPathId(request, "id");
    const written = parameter.parseParameters(writable, readParameters(request));
    const order = await database.transaction(async (transaction) => {
      const locked = await lockOrder(transaction, id);
      if (!locked) throw invalidId(400);
      return updateOrder(transaction, locked, toFields(written));
    });
    response.json(await view(order));
  });

  router.delete("/orders/:id", async (request, response) => {
    const id = readPathId(request, "id");
    const shape = { force: parameter.boolean.default(false) };
    const { force } = parameter.parseParameters(shape, readParameters(request));
    const before = await database.transaction(async (transaction) => {
      const order = await lockOrder(transaction, id);
      if (!order) throw invalidId(404);
      const trash = `UPDATE shop_order SET status = 'trash',
          modified_at = date_trunc('second', clock_timestamp()) WHERE id = $1`;
      await transaction.query(force ? "DELETE FROM shop_order WHERE id = $1" : trash, [id]);
      await queueDeliveries(transaction, "order.deleted", id);
      return order;
    });
    response.json(await view(before));
  });

  const requireOrder = async (id: bigint): Promise<bigint> => {
    if (await findOrder(database, id)) return id;
    throw invalidId(404, "Invalid order ID.");
  };

  router.get("/orders/:id/notes", async (request, response) => {
    const notes = await listNotes(database, await requireOrder(readPathId(request, "id")));
    response.json(notes.map(noteView));
  });

  router.post("/orders/:id/notes", async (request, response) => {
    const { note } = parameter.parseParameters({ note: parameter.text }, readParameters(request), ["note"]);
    const orderId = await requireOrder(readPathId(request, "id"));
    response.status(201).json(noteView(await addNote(database, { orderId, note })));
  });
}

const noteView = ({ id, author, note, created_at }: NoteRow): Record<string, unknown> => ({
  id: Number(id),
  author,
  date_created: formatRestDate(created_at),
  date_created_gmt: formatRestDate(created_at),
  note,
  customer_note: false,
});
