import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestHandler } from "express";
import { RefusedKeyError } from "./security-events.js";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * Only another program of ours, which shows this key, may call an edge; to everybody else it does not exist.
 * @param key undefined: the edge exists for nobody.
 */
export function requireInternalKey(key: string | undefined): RequestHandler {
  const expected = key === undefined ? undefined : digest(key);
  return (request, _response, next) => {
    const shown = digest(request.get("x-tillgate-internal-key") ?? "");
    if (expected === undefined || !timingSafeEqual(shown, expected)) throw new RefusedKeyError();
    next();
  };
}
