import { createHash, timingSafeEqual } from "node:crypto";
import type { Request, RequestHandler } from "express";
import type { Config } from "../../config.js";
import type { Viewer } from "../../operations/checkout/view-checkout.js";
import { HttpError } from "../shared/http-error.js";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
const MAX_HEADER_LENGTH = 256;

/** Only the hosted page may call the checkout edge; to everybody else it does not exist. */
export function requireInternalKey({ internalKey }: Pick<Config, "internalKey">): RequestHandler {
  const expected = digest(internalKey);
  return (request, _response, next) => {
    if (!timingSafeEqual(digest(request.get("x-tillgate-internal-key") ?? ""), expected))
      throw new HttpError(404, "Unknown route");
    next();
  };
}

const header = (request: Request, name: string): string | undefined =>
  request.get(name)?.slice(0, MAX_HEADER_LENGTH) || undefined;

/** Who looks at the page, as the page says. */
export const viewerOf = (request: Request): Viewer => ({
  visitor: header(request, "x-tillgate-visitor") ?? "",
  session: header(request, "x-tillgate-wallet-session"),
});

/** The shopper's address, as the page says; trusted because of the internal key. */
export const clientAddressOf = (request: Request): string =>
  header(request, "x-tillgate-client-address") ?? request.socket.remoteAddress ?? "unknown";
