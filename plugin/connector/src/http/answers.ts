import { TillgateError } from "@tillgate/client";
import type { ErrorEnvelope } from "@tillgate/contract";
import type { Response } from "express";
import { ConnectorError, type ConnectorFailure } from "../connector-error.js";
import { RecordsUnavailable } from "../records/records-unavailable.js";
import { StoreError } from "../store/store-access.js";

/** What an error is answered with. `text` is shown to the caller, `retryAfterSeconds` where trying again helps. */
export interface ErrorAnswer {
  status: number;
  text: string;
  retryAfterSeconds?: number;
}

const statuses: Record<ConnectorFailure, number> = {
  not_found: 404,
  not_payable: 422,
  payment_refused: 422,
  credential_gone: 503,
  busy: 503,
  store_did_not_follow: 503,
  event_unreadable: 500,
};

/** The one table from errors to answers. Store and Tillgate failures are ours towards the caller: 5xx. */
export function answerOf(error: unknown): ErrorAnswer {
  if (error instanceof ConnectorError) {
    const status = statuses[error.failure];
    return { status, text: error.message, ...(status === 503 ? { retryAfterSeconds: 2 } : {}) };
  }
  if (error instanceof StoreError)
    return { status: 503, text: "The store can not be asked now.", retryAfterSeconds: 10 };
  if (error instanceof TillgateError) {
    return {
      status: 503,
      text: "Tillgate can not be asked now. Please try again in a moment.",
      retryAfterSeconds: 5,
    };
  }
  if (error instanceof RecordsUnavailable) {
    const text = "The connector cannot answer now. Please try again in a moment.";
    return { status: 503, text, retryAfterSeconds: 5 };
  }
  const status = clientStatus(error);
  if (status === 413) return { status, text: "The body is larger than 64 KiB" };
  if (status === 415) return { status, text: "The body's encoding is not supported" };
  if (status !== null) return { status: 400, text: "The body must be a JSON object" };
  return { status: 500, text: "Something went wrong on our side." };
}

/** The status that Express's body readers put on their errors. */
function clientStatus(error: unknown): number | null {
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") return null;
  return error.status >= 400 && error.status < 500 ? error.status : null;
}

export function sendError(response: Response, answer: ErrorAnswer, errors?: Record<string, string[]>): void {
  const envelope: Omit<ErrorEnvelope, "error_code"> = {
    message: { code: answer.status, error: [answer.text] },
    data: [],
    type: "error",
    ...(errors === undefined ? {} : { errors }),
  };
  if (answer.retryAfterSeconds !== undefined) response.set("Retry-After", String(answer.retryAfterSeconds));
  response.status(answer.status).json(envelope);
}
