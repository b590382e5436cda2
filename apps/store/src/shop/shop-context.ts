import type { Request, Response } from "express";
import type { Logger } from "pino";
import { readCart } from "../carts/cart.js";
import type { Config } from "../config.js";
import type { Database } from "../database/database.js";
import { findOrder, type Order } from "../orders/order.js";
import type { ConnectorClient } from "../payments/connector-client.js";
import { isSameSecret } from "../same-secret.js";
import type { Visitors } from "./visitor.js";

export type ShopContext = {
  database: Database;
  config: Pick<Config, "storeUrl" | "currency">;
  connector: ConnectorClient;
  visitors: Visitors;
  logger: Logger;
};

/** The page does not exist for this visitor: the URL is unknown, the order's key is wrong, or the form's product is invalid. */
export class PageNotFound extends Error {
  override readonly name = "PageNotFound";
}

/** The CSRF check failed: the form was not issued to this visitor, or was sent from another origin. */
export class CsrfError extends Error {
  override readonly name = "CsrfError";
}

/** Returns a query parameter; undefined if the parameter is missing or repeated. */
export const queryText = (request: Request, name: string): string | undefined => {
  const value = request.query[name];
  return typeof value === "string" ? value : undefined;
};

/** Reads a form field, trimmed and without NUL, which PostgreSQL cannot store; empty if the field is missing or repeated. */
export const readFormText = (request: Request, name: string): string => {
  const body: unknown = request.body;
  const value =
    typeof body === "object" && body !== null ? Object.entries(body).find(([key]) => key === name) : [];
  const text = value?.[1];
  return typeof text === "string" ? text.replaceAll("\u0000", "").toWellFormed().trim() : "";
};

/** Parses an ID; undefined unless it has 1 to 18 digits, which are always within the database's range. */
export function parseId(text: unknown): bigint | undefined {
  if (typeof text !== "string" || !/^\d{1,18}$/.test(text)) return undefined;
  return BigInt(text);
}

/** Returns the order that the URL identifies. @throws PageNotFound if the order does not exist or is trashed, or the key is wrong */
export async function findOrderByKey(
  { database }: Pick<ShopContext, "database">,
  idText: unknown,
  key: string | undefined,
): Promise<Order> {
  const id = parseId(idText);
  const order = id === undefined ? undefined : await findOrder(database, id);
  if (!order || key === undefined || !isSameSecret(order.order_key, key) || order.status === "trash") {
    throw new PageNotFound();
  }
  return order;
}

/** Returns the number of items in the visitor's cart, for the header. Sets the visitor cookie for a new visitor. */
export async function countCartPieces(
  { database, visitors }: Pick<ShopContext, "database" | "visitors">,
  request: Request,
  response: Response,
): Promise<number> {
  return (await readCart(database, visitors.identify(request, response).cartId)).pieces;
}
