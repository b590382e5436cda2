/** Ends a call early: waiting and retrying stop at once. */
export type CallOptions = {
  signal?: AbortSignal;
  /** The idempotency key of a call that makes something, where it is not in the input. */
  idempotencyKey?: string;
};
