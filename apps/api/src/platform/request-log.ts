import type { Mode } from "@tillgate/contract";

/** So many calls wait for the next batch at the most; more are counted and not kept. */
const MAX_WAITING = 5_000;
/** A request's body that is larger is not kept, so that what waits stays small. */
const MAX_KEPT_BODY_BYTES = 8 * 1024;

/** A call of the API by a merchant, as it ended. Bodies are what the call itself had: nothing is copied on its path. */
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
  answer: unknown;
};

/** Calls that were not kept, of one merchant and mode. */
export type Gap = { merchantId: string; mode: Mode; dropped: number };

export type RequestLog = {
  /** Keeps a call for the next batch. Costs one entry in a list. */
  add(entry: ApiCallEntry, bodyBytes: number): void;
  /** Removes and returns the pending calls, at most `limit`. */
  take(limit: number): { calls: ApiCallEntry[]; gaps: Gap[] };
  /** Takes back what could not be written; what there is no room for is counted. */
  giveBack(taken: { calls: ApiCallEntry[]; gaps: Gap[] }): void;
};

/** The calls of one process that are not written yet. */
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
      // A read has no body that is worth keeping, and its answer may be long.
      const kept = entry.method === "POST";
      calls.push({
        ...entry,
        requestBody: kept && bodyBytes <= MAX_KEPT_BODY_BYTES ? entry.requestBody : null,
        answer: kept ? entry.answer : errorOf(entry),
      });
    },
    take(limit) {
      const taken = { calls: calls.slice(0, limit), gaps: [...gaps.values()] };
      calls = calls.slice(limit);
      gaps = new Map();
      return taken;
    },
    giveBack(taken) {
      const all = [...taken.calls, ...calls];
      calls = all.slice(0, maxWaiting);
      for (const { merchantId, mode, dropped } of taken.gaps) drop({ merchantId, mode }, dropped);
      for (const call of all.slice(maxWaiting)) drop(call, 1);
    },
  };
}

/** The answer of a read is kept only where it refuses. */
const errorOf = ({ status, answer }: ApiCallEntry): unknown => (status >= 400 ? answer : null);
