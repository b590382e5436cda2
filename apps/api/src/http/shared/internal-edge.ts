import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestHandler } from "express";
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
