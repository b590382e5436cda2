import type { Router } from "express";
import { z } from "zod";
import { parseDecimal } from "../amounts.js";
import { createOrder, type OrderFields, updateOrder } from "../orders/create-order.js";
import { listOrders } from "../orders/list-orders.js";
import { findOrder, lockOrder, type Order, type OrderStatus, orderStatuses } from "../orders/order.js";
import type { ItemChange } from "../orders/order-items.js";
import { listRefunds } from "../orders/refund-records.js";
import { announce } from "../webhooks/announce.js";
import { currencyCodes } from "./currencies.js";
import { orderView } from "./order-view.js";
import * as parameter from "./parameters.js";
import { RestError } from "./rest-error.js";
import { describeList, parametersOf, pathId, queryOf, type RestContext, route } from "./rest-request.js";

const part = parameter.text.optional();
const address = {
  first_name: part,
  last_name: part,
  company: part,
  address_1: part,
  address_2: part,
  city: part,
  state: part,
  postcode: part,
  country: part,
  phone: part,
};

/** WooCommerce names the whole billing address when its e-mail is wrong. */
const billing = parameter.object({ ...address, email: parameter.email.optional() });

/** An amount of an item; what is not a decimal counts as nothing, as in WooCommerce. */
const itemAmount = z.union([parameter.text, z.number()]).transform((value) => parseDecimal(value) ?? 0n);

const itemFields = {
  id: parameter.integer(0).optional(),
  total: itemAmount.optional(),
  meta_data: parameter.metaData.optional(),
};

const writable = {
  status: parameter.oneOf(orderStatuses).optional(),
  currency: parameter.oneOf(currencyCodes).optional(),
  customer_id: parameter.integer(0).optional(),
  customer_note: parameter.text.optional(),
  billing: billing.optional(),
  shipping: parameter.object(address).optional(),
  payment_method: parameter.text.optional(),
  payment_method_title: parameter.text.optional(),
  transaction_id: parameter.text.optional(),
  set_paid: parameter.boolean.optional(),
  meta_data: parameter.metaData.optional(),
  line_items: parameter
    .list(
      parameter.object({
        ...itemFields,
        name: parameter.text.optional(),
        product_id: parameter.integer(0).nullish(),
        sku: parameter.text.optional(),
        quantity: parameter.integer(0).optional(),
        subtotal: itemAmount.optional(),
      }),
    )
    .optional(),
  fee_lines: parameter.list(parameter.object({ ...itemFields, name: parameter.text.nullish() })).optional(),
  shipping_lines: parameter
    .list(
      parameter.object({
        ...itemFields,
        method_id: parameter.text.nullish(),
        method_title: parameter.text.nullish(),
      }),
    )
    .optional(),
};

type Written = ReturnType<typeof readOrder>;

const readOrder = (given: Record<string, unknown>) => parameter.readParameters(writable, given);

/** WooCommerce takes an item out when its reference is null or its quantity 0. */
const removed = (reference: unknown): boolean => reference === null;

const itemId = (id: number | undefined): bigint | undefined => (id ? BigInt(id) : undefined);

function itemChanges(written: Written): ItemChange[] | undefined {
  const { line_items, fee_lines, shipping_lines } = written;
  if (!line_items && !fee_lines && !shipping_lines) return undefined;
  const lines = (line_items ?? []).map(
    (item): ItemChange => ({
      type: "line_item",
      id: itemId(item.id),
      productId: item.product_id ? BigInt(item.product_id) : undefined,
      sku: item.sku,
      name: item.name,
      quantity: removed(item.product_id) ? 0 : item.quantity,
      subtotal: item.subtotal,
      total: item.total,
      metaData: item.meta_data,
    }),
  );
  const fees = (fee_lines ?? []).map(
    (item): ItemChange => ({
      type: "fee",
      id: itemId(item.id),
      name: item.name ?? undefined,
      quantity: removed(item.name) ? 0 : undefined,
      total: item.total,
      metaData: item.meta_data,
    }),
  );
  const shippings = (shipping_lines ?? []).map(
    (item): ItemChange => ({
      type: "shipping",
      id: itemId(item.id),
      name: item.method_title ?? undefined,
      methodId: item.method_id ?? undefined,
      quantity: removed(item.method_id) ? 0 : undefined,
      total: item.total,
      metaData: item.meta_data,
    }),
  );
  return [...lines, ...shippings, ...fees];
}

function orderFields(written: Written): OrderFields {
  if (written.customer_id) {
    // The shop has no customer accounts: every order is a guest's.
    throw new RestError("woocommerce_rest_invalid_customer_id", "Customer ID is invalid.", 400);
  }
  return {
    currency: written.currency,
    customerNote: written.customer_note,
    billing: written.billing,
    shipping: written.shipping,
    paymentMethod: written.payment_method,
    paymentMethodTitle: written.payment_method_title,
    transactionId: written.transaction_id,
    metaData: written.meta_data,
    items: itemChanges(written),
    status: written.status,
    setPaid: written.set_paid,
  };
}

const invalidId = (status: number): RestError =>
  new RestError("woocommerce_rest_shop_order_invalid_id", "Invalid ID.", status);

const listParameters = {
  ...parameter.collection,
  status: parameter.list(parameter.oneOf<OrderStatus | "any">(["any", "trash", ...orderStatuses])).optional(),
  product: parameter.integer(0).optional(),
  customer: parameter.integer(0).optional(),
  after: parameter.moment.optional(),
  before: parameter.moment.optional(),
  modified_after: parameter.moment.optional(),
  modified_before: parameter.moment.optional(),
  // The shop's zone is UTC: both answers mean the same.
  dates_are_gmt: parameter.boolean.optional(),
  orderby: parameter.oneOf(["date", "id", "include", "title", "slug", "modified"]).default("date"),
};

/** The routes of `/orders`. */
export function addOrderRoutes(router: Router, { database, links, currency }: RestContext): void {
  const answer = async (order: Order): Promise<Record<string, unknown>> =>
    orderView(order, await listRefunds(database, [order.id]), links);

  router.get(
    "/orders",
    route(async (request, response) => {
      const asked = parameter.readParameters(listParameters, queryOf(request));
      const statuses = (asked.status ?? ["any"]).flatMap((status) =>
        status === "any" ? [...orderStatuses] : [status],
      );
      const { orders, total } = await listOrders(database, {
        statuses,
        ...(asked.search === undefined ? {} : { search: asked.search }),
        ...(asked.include && asked.include.length > 0 ? { include: asked.include } : {}),
        ...(asked.exclude ? { exclude: asked.exclude } : {}),
        ...(asked.product ? { product: BigInt(asked.product) } : {}),
        ...(asked.after ? { after: asked.after } : {}),
        ...(asked.before ? { before: asked.before } : {}),
        ...(asked.modified_after ? { modifiedAfter: asked.modified_after } : {}),
        ...(asked.modified_before ? { modifiedBefore: asked.modified_before } : {}),
        orderBy: asked.orderby,
        direction: asked.order,
        page: asked.page,
        perPage: asked.per_page,
        ...(asked.offset === undefined ? {} : { offset: asked.offset }),
      });
      const refunds = await listRefunds(
        database,
        orders.map(({ id }) => id),
      );
      describeList(request, response, links, { total, page: asked.page, perPage: asked.per_page });
      response.json(orders.map((order) => orderView(order, refunds, links)));
    }),
  );

  router.post(
    "/orders",
    route(async (request, response) => {
      const written = readOrder(parametersOf(request));
      const fields = orderFields(written);
      const order = await database.transaction((transaction) =>
        createOrder(transaction, {
          ...fields,
          currency: fields.currency ?? currency,
          createdVia: "rest-api",
        }),
      );
      response
        .status(201)
        .location(links.of(`orders/${order.id}`))
        .json(await answer(order));
    }),
  );

  router.get(
    "/orders/:id",
    route(async (request, response) => {
      const order = await findOrder(database, pathId(request, "id"));
      if (!order) throw invalidId(404);
      response.json(await answer(order));
    }),
  );

  const update = route(async (request, response) => {
    const id = pathId(request, "id");
    const written = readOrder(parametersOf(request));
    if (!(await findOrder(database, id))) throw invalidId(400);
    const fields = orderFields(written);
    const order = await database.transaction(async (transaction) => {
      const locked = await lockOrder(transaction, id);
      if (!locked) throw invalidId(400);
      return updateOrder(transaction, locked, fields);
    });
    response.json(await answer(order));
  });
  router.put("/orders/:id", update);
  router.patch("/orders/:id", update);
  router.post("/orders/:id", update);

  router.delete(
    "/orders/:id",
    route(async (request, response) => {
      const id = pathId(request, "id");
      const { force } = parameter.readParameters(
        { force: parameter.boolean.default(false) },
        parametersOf(request),
      );
      const view = await database.transaction(async (transaction) => {
        const order = await lockOrder(transaction, id);
        if (!order) throw invalidId(404);
        const before = orderView(order, await listRefunds(transaction, [id]), links);
        if (force) {
          await transaction.query("DELETE FROM shop_order WHERE id = $1", [id]);
        } else if (order.status === "trash") {
          const message = "The shop_order has already been deleted.";
          throw new RestError("woocommerce_rest_already_trashed", message, 410);
        } else {
          await transaction.query(
            `UPDATE shop_order SET status = 'trash', status_before_trash = status,
                modified_at = date_trunc('second', clock_timestamp()) WHERE id = $1`,
            [id],
          );
        }
        await announce(transaction, "order.deleted", id);
        return before;
      });
      response.json(view);
    }),
  );
}
