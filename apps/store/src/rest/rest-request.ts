import type { Request, Response } from "express";
import type { Logger } from "pino";
import type { Database } from "../database/database.js";

/** An error in WordPress's format: `{"code","message","data"}`. */
export class RestError extends Error {
  override readonly name = "RestError";

  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly data: unknown = { status },
  ) {
    super(message);
  }

  get body(): { code: string; message: string; data: unknown } {
    return { code: this.code, message: this.message, data: this.data };
  }
}

export const noRoute = (): RestError =>
  new RestError("rest_no_route", "No route was found matching the URL and request method.", 404);

/** Creates a WooCommerce error whose `data` is a plain number, which WordPress returns with status 500. */
export const plainError = (code: string, message: string, data: number): RestError =>
  new RestError(code, message, 500, data);

export type RestContext = {
  database: Database;
  logger: Logger;
  storeUrl: string;
  currency: string;
};

/** Reads the query. If a name is repeated, as WooCommerce's client library may do, the last value wins, as in PHP. */
export const readQuery = (request: Request): Record<string, string> =>
  Object.fromEntries(
    Object.entries(request.query).map(([name, value]) => [name, String([value].flat().at(-1))]),
  );

/** Reads the parameters from the query and the JSON body, which takes precedence. */
export const readParameters = (request: Request): Record<string, unknown> => ({
  ...readQuery(request),
  ...request.body,
});

/** Parses an ID in the path; an ID beyond the database's range becomes 0, which matches nothing. @throws RestError unless the text is 1 to 30 digits */
export function readPathId(request: Request, name: string): bigint {
  const text = request.params[name];
  if (typeof text !== "string" || !/^\d{1,30}$/.test(text)) throw noRoute();
  const id = BigInt(text);
  return id > 9_223_372_036_854_775_807n ? 0n : id;
}

/** Sets the headers of a list: total, number of pages, and links to the previous and next pages. */
export function setListHeaders(
  request: Request,
  response: Response,
  list: { storeUrl: string; total: number; page: number; perPage: number },
): void {
  const { page, total, perPage } = list;
  const pages = Math.ceil(total / perPage);
  response.set("X-WP-Total", String(total)).set("X-WP-TotalPages", String(pages));
  const neighbours: Record<string, string> = {};
  const add = (relation: string, number: number): void => {
    const address = new URL(request.originalUrl, list.storeUrl);
    // Links must not contain the authentication parameters.
    for (const name of [...address.searchParams.keys()]) {
      if (name.startsWith("oauth_") || name.startsWith("consumer_")) address.searchParams.delete(name);
    }
    address.searchParams.set("page", String(number));
    neighbours[relation] = address.href;
  };
  if (page > 1) add("prev", Math.min(page - 1, Math.max(pages, 1)));
  if (page < pages) add("next", page + 1);
  response.links(neighbours);
}

/** Formats a time in the REST API's format: UTC, to the second, without a zone. */
export const formatRestDate = (date: Date): string => date.toISOString().slice(0, 19);
