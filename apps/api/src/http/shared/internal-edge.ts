import { createHash, timingSafeEqual } from "node:crypto";
import type { Request, RequestHandler } from "express";
import { RefusedKeyError } from "./security-events.js";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * Guards an edge for our own programs, which send this key. Other callers get a 404.
 * @param key undefined: all calls get a 404.
 */
export function requireInternalKey(key: string | undefined): RequestHandler {
  const expected = key === undefined ? undefined : digest(key);
  return (request, _response, next) => {
    const shown = digest(request.get("x-tillgate-internal-key") ?? "");
    if (expected === undefined || !timingSafeEqual(shown, expected)) throw new RefusedKeyError();
    next();
  };
}

const MAX_HEADER_LENGTH = 256;

/** A header of our own program's call; undefined where it is missing or empty, cut where it is longer. */
export const internalHeader = (
  request: Request,
  name: string,
  longest = MAX_HEADER_LENGTH,
): string | undefined => request.get(name)?.slice(0, longest) || undefined;

/** The address of the person behind the page or console, as it says; trusted because of the internal key. */
export const clientAddressSaid = (request: Request): string =>
  internalHeader(request, "x-tillgate-client-address") ?? request.socket.remoteAddress ?? "unknown";
