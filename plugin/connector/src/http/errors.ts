import { TillgateError } from "@tillgate/client";
import type { ErrorEnvelope } from "@tillgate/contract";
import type { Response } from "express";
import { ConnectorError } from "../connector-error.js";
import { RecordsUnavailable } from "../records/records-unavailable.js";
import { StoreError } from "../store/store-access.js";

/** `text` is shown to the caller. */
export type ErrorResponse = {
  status: number;
  /** A stable code, which is the same as in Tillgate's API for the same error. */
  code: string;
  text: string;
  retryAfterSeconds?: number;
};

const storeUnavailable = {
  code: "store_unavailable",
  text: "The store is unavailable. Please try again in a moment.",
  retryAfterSeconds: 10,
};
const tillgateUnavailable = {
  code: "tillgate_unavailable",
  text: "Tillgate is unavailable. Please try again in a moment.",
  retryAfterSeconds: 5,
};
const connectorUnavailable = {
  code: "unavailable",
  text: "The connector is unavailable. Please try again in a moment.",
  retryAfterSeconds: 5,
};

/** Returns status 503 for a StoreError or TillgateError, even if the store or Tillgate responded with 4xx. */
export function toErrorResponse(error: unknown): ErrorResponse {
  if (error instanceof ConnectorError) {
    const { status, code, message: text } = error;
    return { status, code, text, ...(status === 503 ? { retryAfterSeconds: 2 } : {}) };
  }
  if (error instanceof StoreError) return { status: 503, ...storeUnavailable };
  if (error instanceof TillgateError) return { status: 503, ...tillgateUnavailable };
  if (error instanceof RecordsUnavailable) return { status: 503, ...connectorUnavailable };
  const status = clientStatus(error);
  if (status === 413) return { status, code: "body_too_large", text: "The body is too large." };
  if (status === 415)
    return { status, code: "unsupported_encoding", text: "The body's encoding is not supported." };
  if (status !== null)
    return { status: 400, code: "malformed_json", text: "The body must be a JSON object." };
  return { status: 500, code: "internal_error", text: "Something went wrong on our side." };
}

/** Express's body parsers set a 4xx status on their errors. */
function clientStatus(error: unknown): number | null {
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") return null;
  return error.status >= 400 && error.status < 500 ? error.status : null;
}

export function sendError(
  response: Response,
  { status, code, text, retryAfterSeconds }: ErrorResponse,
  errors?: Record<string, string[]>,
): void {
  const [param, ...others] = Object.keys(errors ?? {});
  const envelope: ErrorEnvelope = {
    message: { code: status, error: [text] },
    data: [],
    type: "error",
    error_code: code,
    ...(param === undefined || others.length > 0 ? {} : { param }),
    ...(errors === undefined ? {} : { errors }),
  };
  if (retryAfterSeconds !== undefined) response.set("Retry-After", String(retryAfterSeconds));
  response.status(status).json(envelope);
}
