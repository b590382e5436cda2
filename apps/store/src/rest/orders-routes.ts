import type { Router } from "express";
import { createOrder, updateOrder } from "../orders/create-order.js";
import { listOrders } from "../orders/list-orders.js";
import { findOrder, lockOrder, type Order, orderStatuses } from "../orders/order.js";
import { listRefunds } from "../orders/refund-records.js";
import { announce } from "../webhooks/announce.js";
import { orderFields, orderListParameters, readOrder } from "./order-parameters.js";
import { orderView } from "./order-view.js";
import * as parameter from "./parameters.js";
import { RestError } from "./rest-error.js";
import { describeList, parametersOf, pathId, queryOf, type RestContext, route } from "./rest-request.js";

const invalidId = (status: number): RestError =>
  new RestError("woocommerce_rest_shop_order_invalid_id", "Invalid ID.", status);

/** The routes of `/orders`. */
export function addOrderRoutes(router: Router, { database, links, currency }: RestContext): void {
  const answer = async (order: Order): Promise<Record<string, unknown>> =>
    orderView(order, await listRefunds(database, [order.id]), links);

  router.get(
    "/orders",
    route(async (request, response) => {
      const asked = parameter.readParameters(orderListParameters, queryOf(request));
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
