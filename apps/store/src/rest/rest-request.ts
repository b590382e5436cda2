import type { NextFunction, Request, RequestHandler, Response } from "express";
import type { Database } from "../database/database.js";
import type { RestLinks } from "./links.js";
import { asJson, type PhpObject, parsePhpQuery } from "./php-query.js";
import { noRoute, RestError } from "./rest-error.js";

/** What the REST routes work with. */
export interface RestContext {
  database: Database;
  links: RestLinks;
  currency: string;
}

const isForm = (request: Request): boolean =>
  request.is("application/x-www-form-urlencoded") === "application/x-www-form-urlencoded";

const bodyText = (request: Request): string =>
  Buffer.isBuffer(request.body) ? request.body.toString("utf8") : "";

/** A form body; empty when the body is something else. */
export const formOf = (request: Request): PhpObject =>
  isForm(request) ? parsePhpQuery(bodyText(request)) : Object.create(null);

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};

/** The parameters of the query. */
export const queryOf = (request: Request): Record<string, unknown> =>
  asRecord(asJson(parsePhpQuery(request.originalUrl.split("?").slice(1).join("?"))));

/**
 * The parameters of the query and the body; the body wins.
 *
 * @throws RestError with 400 when the body says it is JSON and is not.
 */
export function parametersOf(request: Request): Record<string, unknown> {
  if (isForm(request)) return { ...queryOf(request), ...asRecord(asJson(formOf(request))) };
  const text = bodyText(request);
  if (text === "" || !request.is(["application/json", "application/*+json"])) return queryOf(request);
  return { ...queryOf(request), ...asRecord(parseJson(text)) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (key, value: unknown) => (key === "__proto__" ? undefined : value));
  } catch {
    throw new RestError("rest_invalid_json", "Invalid JSON body passed.", 400, {
      status: 400,
      json_error_code: 4,
      json_error_message: "Syntax error",
    });
  }
}

/**
 * An id in a path; one that the database cannot hold is nobody's.
 *
 * @throws RestError as for an unknown route when it is not made of digits.
 */
export function pathId(request: Request, name: string): bigint {
  const text = request.params[name];
  if (typeof text !== "string" || !/^\d{1,30}$/.test(text)) throw noRoute();
  const id = BigInt(text);
  return id > 9_223_372_036_854_775_807n ? 0n : id;
}

/** The sentence that WooCommerce answers to somebody without a key, by what he wanted. */
function withoutKey(method: string, path: string): RestError {
  const one = /\/(\d+|current)\/?$/.test(path);
  if (method === "GET" || method === "HEAD") {
    const message = one ? "Sorry, you cannot view this resource." : "Sorry, you cannot list resources.";
    return new RestError("woocommerce_rest_cannot_view", message, 401);
  }
  if (method === "DELETE") {
    const message = "Sorry, you are not allowed to delete this resource.";
    return new RestError("woocommerce_rest_cannot_delete", message, 401);
  }
  if (one) {
    return new RestError(
      "woocommerce_rest_cannot_edit",
      "Sorry, you are not allowed to edit this resource.",
      401,
    );
  }
  const message = "Sorry, you are not allowed to create resources.";
  return new RestError("woocommerce_rest_cannot_create", message, 401);
}

/** A route for those who sent a good key; a failure goes to the error handler. */
export const route =
  (work: (request: Request, response: Response) => Promise<void>): RequestHandler =>
  (request: Request, response: Response, next: NextFunction) => {
    // WordPress looks at the body's form before it looks for a key.
    parametersOf(request);
    if (response.locals.hasKey !== true) throw withoutKey(request.method, request.path);
    work(request, response).catch(next);
  };

/** Sets the headers of a list: how many there are, how many pages, and the neighbours of this one. */
export function describeList(
  request: Request,
  response: Response,
  links: RestLinks,
  list: { total: number; page: number; perPage: number },
): void {
  const pages = Math.ceil(list.total / list.perPage);
  response.set("X-WP-Total", String(list.total)).set("X-WP-TotalPages", String(pages));
  const address = new URL(request.originalUrl, links.storeUrl);
  for (const name of new Set(address.searchParams.keys())) {
    const last = address.searchParams.getAll(name).at(-1) ?? "";
    if (!name.endsWith("[]")) address.searchParams.set(name, last);
    // A neighbour's address is not signed, and no place for a secret.
    if (name.startsWith("oauth_") || name.startsWith("consumer_")) address.searchParams.delete(name);
  }
  const neighbour = (page: number, relation: string): string => {
    address.searchParams.set("page", String(page));
    return `<${address.href}>; rel="${relation}"`;
  };
  const neighbours = [
    ...(list.page > 1 ? [neighbour(Math.min(list.page - 1, Math.max(pages, 1)), "prev")] : []),
    ...(list.page < pages ? [neighbour(list.page + 1, "next")] : []),
  ];
  if (neighbours.length > 0) response.set("Link", neighbours.join(", "));
}
