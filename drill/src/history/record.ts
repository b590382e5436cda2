import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { TillgateApiError } from "@tillgate/client";
import type { Append, Operation, Outcome, Read } from "./operation.js";

export type CallResult = { appends?: readonly Append[]; reads?: readonly Read[] };

/** An error response of an API that has no client library. */
export class ResponseError extends Error {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(`${status}: ${text}`);
  }
}

/** Records calls and their outcomes in a file, one JSON object per line. */
export type Recorder = {
  readonly count: number;
  /** Sends the call once. A failed read proves nothing and is not recorded. `appends`: what the call appends if it takes effect. */
  record(
    call: { client: number; call: string; appends?: readonly Append[] },
    send: () => Promise<CallResult>,
  ): Promise<{ outcome: Outcome; error?: unknown }>;
  close(): Promise<void>;
};

export function openRecorder(file: string): Recorder {
  const stream = createWriteStream(file);
  let count = 0;
  const write = (operation: Operation): void => {
    stream.write(`${JSON.stringify(operation)}\n`);
    count += 1;
  };
  return {
    get count() {
      return count;
    },
    async record(call, send) {
      const start = performance.now();
      try {
        const result = await send();
        write({ ...call, start, end: performance.now(), outcome: "done", ...result });
        return { outcome: "done" };
      } catch (error) {
        const outcome = isRejection(error) ? "rejected" : "unknown";
        if (call.appends) write({ ...call, start, end: performance.now(), outcome });
        return { outcome, error };
      }
    },
    async close() {
      stream.end();
      await finished(stream);
    },
  };
}

/** Returns whether a response means that nothing was done. After a server error (5xx), something may have been done. */
const isRejection = (error: unknown): boolean =>
  (error instanceof TillgateApiError || error instanceof ResponseError) && error.status < 500;
