import { randomUUID } from "node:crypto";
import type { CallOptions } from "./call-options.js";

/** A header holds no other characters. */
const HEADER_TEXT = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** The body of a call that makes something, and its headers. */
type Keyed<Input> = { body: Input & { idempotency_key: string }; headers: Record<string, string> };

/**
 * Gives a call its idempotency key: the input's, the option's, or a new one. It goes in the body, and in the
 * `Idempotency-Key` header for proxies.
 * @throws TypeError for an empty key, and for two keys that differ: both are mistakes and not "no key".
 */
export function keyed<Input extends { idempotency_key?: string }>(
  input: Input,
  { idempotencyKey }: CallOptions,
): Keyed<Input> {
  const { idempotency_key: field } = input;
  if (field !== undefined && idempotencyKey !== undefined && field !== idempotencyKey)
    throw new TypeError("idempotency_key and idempotencyKey are two different keys");
  const key = field ?? idempotencyKey ?? randomUUID();
  if (key === "") throw new TypeError("an idempotency key must not be empty");
  return {
    body: { ...input, idempotency_key: key },
    headers: HEADER_TEXT.test(key) ? { "idempotency-key": key } : {},
  };
}
