import type { Request } from "express";

/** Longer than any issued token; a longer one is not looked up. */
const MAX_TOKEN_LENGTH = 2_048;

/** The token of `Authorization: Bearer <token>`, or null. */
export function bearerToken(request: Request): string | null {
  const [scheme, token, ...rest] = (request.get("authorization") ?? "").split(" ");
  const usable =
    scheme?.toLowerCase() === "bearer" && token && rest.length === 0 && token.length <= MAX_TOKEN_LENGTH;
  return usable ? token : null;
}
