/** Ends a call early: waiting and retrying stop at once. */
export type CallOptions = {
  signal?: AbortSignal;
  /** The idempotency key of a call that makes something, where it is not in the input. */
  idempotencyKey?: string;
};

/** Filters of a list; days are whole UTC days, `YYYY-MM-DD`. */
export type ListQuery<Status> = {
  status?: Status;
  reference?: string;
  from_date?: string;
  to_date?: string;
  page?: number;
  per_page?: number;
};

/** Filters of a walk over all of a list. */
export type WalkQuery<Query> = Omit<Query, "page"> & {
  /** The `next_cursor` of an earlier list. Left out: from the newest. */
  cursor?: string;
};
