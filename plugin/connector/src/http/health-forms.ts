import { createHmac, timingSafeEqual } from "node:crypto";
import { parseAddress } from "@tillgate/contract";
import type { Request } from "express";

/**
 * The token of the health page's forms. A browser that knows the health key sends it along with any page's form, so a form
 * needs what only the page of this store shows.
 */
export const formToken = (healthKey: string, storeId: string): string =>
  createHmac("sha256", healthKey).update(`form of the health page of ${storeId}`).digest("base64url");

/**
 * Whether a form was sent from the store's own page: by its token, and by where the browser says it comes from. A client
 * that does not say is no browser, and the token decides alone.
 */
export function isOwnForm(request: Request, healthKey: string, storeId: string, given: unknown): boolean {
  if (request.get("sec-fetch-site") === "cross-site") return false;
  const origin = request.get("origin");
  if (origin !== undefined && parseAddress(origin)?.host !== request.get("host")) return false;
  const expected = Buffer.from(formToken(healthKey, storeId));
  const token = Buffer.from(typeof given === "string" ? given : "");
  return token.length === expected.length && timingSafeEqual(token, expected);
}
