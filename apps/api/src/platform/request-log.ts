import type { Mode } from "@tillgate/contract";

/** Further calls are counted and dropped. */
const MAX_WAITING = 5_000;
/** A larger request body is dropped, so that the queue stays small. */
const MAX_STORED_BODY_BYTES = 8 * 1024;

/** Bodies are references to the call's objects, so that nothing is copied on the request path. */
export type ApiCallEntry = {
  merchantId: string;
  mode: Mode;
  credentialId: string;
  requestId: string;
  at: Date;
  method: string;
  path: string;
  status: number;
  durationMs: number;
  clientAddress: string;
  requestBody: unknown;
  responseBody: unknown;
};

/** Dropped calls of one merchant and mode. */
export type Gap = { merchantId: string; mode: Mode; dropped: number };

export type RequestLog = {
  add(entry: ApiCallEntry, bodyBytes: number): void;
  take(limit: number): { calls: ApiCallEntry[]; gaps: Gap[] };
  /** Calls beyond the maximum are counted as dropped. */
  requeue(batch: { calls: ApiCallEntry[]; gaps: Gap[] }): void;
};

export function createRequestLog(maxWaiting = MAX_WAITING): RequestLog {
  let calls: ApiCallEntry[] = [];
  let gaps = new Map<string, Gap>();
  const drop = ({ merchantId, mode }: Pick<Gap, "merchantId" | "mode">, dropped: number) => {
    const key = `${mode} ${merchantId}`;
    gaps.set(key, { merchantId, mode, dropped: (gaps.get(key)?.dropped ?? 0) + dropped });
  };
  return {
    add(entry, bodyBytes) {
      if (calls.length >= maxWaiting) return drop(entry, 1);
      // A read has no body worth storing, and its response may be long. The bodies of a comparison (PUT) are too large.
      const storesBody = entry.method === "POST";
      calls.push({
        ...entry,
        requestBody: storesBody && bodyBytes <= MAX_STORED_BODY_BYTES ? entry.requestBody : null,
        responseBody: storesBody ? entry.responseBody : errorBody(entry),
      });
    },
    take(limit) {
      const batch = { calls: calls.slice(0, limit), gaps: [...gaps.values()] };
      calls = calls.slice(limit);
      gaps = new Map();
      return batch;
    },
    requeue(batch) {
      const all = [...batch.calls, ...calls];
      calls = all.slice(0, maxWaiting);
      for (const { merchantId, mode, dropped } of batch.gaps) drop({ merchantId, mode }, dropped);
      for (const call of all.slice(maxWaiting)) drop(call, 1);
    },
  };
}

/** Returns the body of an error response; null for success, because responses of reads and comparisons may be long. */
const errorBody = ({ status, responseBody }: ApiCallEntry): unknown => (status >= 400 ? responseBody : null);
