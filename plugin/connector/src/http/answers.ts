import { TillgateError } from "@tillgate/client";
import type { ErrorEnvelope } from "@tillgate/contract";
import type { Response } from "express";
import { ConnectorError } from "../connector-error.js";
import { RecordsUnavailable } from "../records/records-unavailable.js";
import { StoreError } from "../store/store-access.js";

/** The answer to an error. `text` is shown to the caller, `retryAfterSeconds` where trying again helps. */
export type ErrorAnswer = {
  status: number;
  /**
   * The refusal's code: programs decide by it, so it never changes. Where Tillgate's API has the same refusal, its code.
   */
  code: string;
  text: string;
  retryAfterSeconds?: number;
};

const storeAway = {
  code: "store_unavailable",
  text: "The store cannot be asked now.",
  retryAfterSeconds: 10,
};
const tillgateAway = {
  code: "tillgate_unavailable",
  text: "Tillgate cannot be asked now. Please try again in a moment.",
  retryAfterSeconds: 5,
};
const recordsAway = {
  code: "unavailable",
  text: "The connector cannot answer now. Please try again in a moment.",
  retryAfterSeconds: 5,
};

/** The one table from errors to answers. Store and Tillgate failures are ours towards the caller: 5xx. */
export function answerOf(error: unknown): ErrorAnswer {
  if (error instanceof ConnectorError) {
    const { status, failure: code, message: text } = error;
    const answer = { status, code, text };
    return status === 503 ? { ...answer, retryAfterSeconds: 2 } : answer;
  }
  if (error instanceof StoreError) return { status: 503, ...storeAway };
  if (error instanceof TillgateError) return { status: 503, ...tillgateAway };
  if (error instanceof RecordsUnavailable) return { status: 503, ...recordsAway };
  const status = clientStatus(error);
  if (status === 413) return { status, code: "body_too_large", text: "The body is larger than 64 KiB" };
  if (status === 415)
    return { status, code: "unsupported_encoding", text: "The body's encoding is not supported" };
  if (status !== null) return { status: 400, code: "malformed_json", text: "The body must be a JSON object" };
  return { status: 500, code: "internal_error", text: "Something went wrong on our side." };
}

/** The status that Express's body readers put on their errors. */
function clientStatus(error: unknown): number | null {
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") return null;
  return error.status >= 400 && error.status < 500 ? error.status : null;
}

export function sendError(response: Response, answer: ErrorAnswer, errors?: Record<string, string[]>): void {
  const [param, ...others] = Object.keys(errors ?? {});
  const envelope: ErrorEnvelope = {
    message: { code: answer.status, error: [answer.text] },
    data: [],
    type: "error",
    error_code: answer.code,
    ...(param === undefined || others.length > 0 ? {} : { param }),
    ...(errors === undefined ? {} : { errors }),
  };
  if (answer.retryAfterSeconds !== undefined) response.set("Retry-After", String(answer.retryAfterSeconds));
  response.status(answer.status).json(envelope);
}
