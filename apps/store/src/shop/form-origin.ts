import { parseWebAddress } from "@tillgate/contract";
import type { NextFunction, Request, RequestHandler, Response } from "express";
import { FormRefused } from "./shop-context.js";

/**
 * Lets a form through that was sent from a page of this shop. Browsers name where a form comes from in `Origin`, older
 * ones in `Referer`; a client that names neither is no browser, and the token in the form decides alone.
 */
export function sameOriginForms(storeUrl: string): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction) => {
    if (request.method !== "POST") return next();
    const given = request.get("origin") ?? parseWebAddress(request.get("referer") ?? "")?.origin;
    const own = [storeUrl, `${request.protocol}://${request.get("host") ?? ""}`];
    if (given !== undefined && !own.includes(given)) return next(new FormRefused());
    if (request.get("sec-fetch-site") === "cross-site") return next(new FormRefused());
    return next();
  };
}
