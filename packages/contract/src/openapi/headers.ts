import type { JsonObject } from "./json.js";

const header = (description: string, schema: JsonObject, example: string | number): JsonObject => ({
  description,
  schema,
  example,
});

const COUNT: JsonObject = { type: "integer", minimum: 0 };

/** Every header that an answer may carry beside those of HTTP itself. */
export const HEADERS: Record<string, JsonObject> = {
  "X-Request-Id": header(
    "Names this request in the service's logs.",
    { type: "string", pattern: "^req_[0-9a-f]{32}$" },
    "req_0f9d6c2b7a4e4f0c8a1d5b3e6f7a8c9d",
  ),
  "Idempotent-Replayed": header(
    "`true` when an earlier request with the same idempotency key had already done this.",
    { type: "string", const: "true" },
    "true",
  ),
  "RateLimit-Policy": header(
    "The limit and its window in seconds.",
    { type: "string", pattern: "^\\d+;w=\\d+$" },
    "600;w=60",
  ),
  "RateLimit-Limit": header("Requests that are allowed in this window.", COUNT, 600),
  "RateLimit-Remaining": header("Requests that are left in this window.", COUNT, 599),
  "RateLimit-Reset": header("Seconds until this window is over.", COUNT, 60),
  "Retry-After": header("Seconds after which to try again.", { type: "integer", minimum: 1 }, 12),
  "WWW-Authenticate": header(
    "How to authenticate.",
    { type: "string" },
    'Basic realm="Tillgate", charset="UTF-8"',
  ),
};

/** Sent with every answer. */
export const ALWAYS = ["X-Request-Id"];
/** Sent with every answer to a caller that is counted. */
export const RATE_LIMIT = ["RateLimit-Policy", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
