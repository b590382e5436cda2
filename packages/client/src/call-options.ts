import { randomUUID } from "node:crypto";

/** `signal` aborts a call, including its retries. */
export type CallOptions = {
  signal?: AbortSignal;
  /** Idempotency key of a create call, if it is not in the input. */
  idempotencyKey?: string;
};

/** Days are whole UTC days, `YYYY-MM-DD`. */
export type ListQuery<Status> = {
  status?: Status;
  reference?: string;
  from_date?: string;
  to_date?: string;
  page?: number;
  per_page?: number;
};

export type WalkQuery<Query> = Omit<Query, "page"> & {
  /** The `next_cursor` of the previous page. Omit it to start with the newest item. */
  cursor?: string;
};

const HEADER_TEXT = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

type KeyedCall<Input> = { body: Input & { idempotency_key: string }; headers: Record<string, string> };

/**
 * Adds an idempotency key to a call: the key in the input or the options, or else a new key. The key is sent in the body. It is also sent in the
 * `Idempotency-Key` header, so that proxies can see it, unless a header cannot carry it unchanged.
 * @throws TypeError for an empty key, and for two different keys: both are bugs in the caller.
 */
export function withIdempotencyKey<Input extends { idempotency_key?: string }>(
  input: Input,
  { idempotencyKey }: CallOptions,
): KeyedCall<Input> {
  const { idempotency_key: field } = input;
  if (field !== undefined && idempotencyKey !== undefined && field !== idempotencyKey)
    throw new TypeError("idempotency_key and idempotencyKey have different values; pass only one");
  const key = field ?? idempotencyKey ?? randomUUID();
  if (key === "") throw new TypeError("an idempotency key must not be empty");
  return {
    body: { ...input, idempotency_key: key },
    headers: HEADER_TEXT.test(key) ? { "idempotency-key": key } : {},
  };
}
