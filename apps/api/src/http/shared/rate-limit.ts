import { Refusal } from "@tillgate/contract";
import type { Response } from "express";
import type { Allowance } from "../../limits/rate-limiter.js";
import { WINDOW_SECONDS } from "../../limits/request-limiter.js";
import { OperationError } from "../../operation-error.js";

/**
 * Sends the caller the limit's state, and refuses requests over the limit. The header fields are those of the IETF draft
 * that clients read most widely (ratelimit-headers-06): limit and remaining in requests, reset in seconds.
 * @throws OperationError TooManyRequests.
 */
export function applyAllowance(response: Response, { allowed, limit, remaining, resetMs }: Allowance): void {
  const resetSeconds = Math.max(1, Math.ceil(resetMs / 1000));
  response.set({
    "RateLimit-Policy": `${limit};w=${WINDOW_SECONDS}`,
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": String(remaining),
    "RateLimit-Reset": String(resetSeconds),
  });
  if (!allowed) throw new OperationError(Refusal.TooManyRequests, { retryAfterSeconds: resetSeconds });
}
