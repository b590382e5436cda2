import { type FieldErrors, fieldError } from "../envelope.js";
import { MAX_BODY_BYTES } from "../limits.js";
import type { JsonObject } from "./json.js";

/** One way to be refused: its status, its exact text, and what causes it. */
export type ErrorRow = {
  status: number;
  text: string;
  cause: string;
  /** Sentences by field; the texts are then theirs, or the Partner API's one text. */
  fields?: FieldErrors;
};

export const errorRow = (status: number, text: string, cause: string): ErrorRow => ({ status, text, cause });

/** A refused field of the Pay API: 400, the sentence both in the list and under the field. */
export const refusedField = (field: string, rest: string, cause: string): ErrorRow => ({
  status: 400,
  text: fieldError(field, rest),
  cause,
  fields: { [field]: [fieldError(field, rest)] },
});

/** A refused field of the Partner API: 422 with one text, the sentence under the field. */
export const unprocessableField = (field: string, rest: string, cause: string): ErrorRow => ({
  status: 422,
  text: "Validation error",
  cause,
  fields: { [field]: [fieldError(field, rest)] },
});

/** What HTTP itself refuses of any request. */
export const ANY_REQUEST: ErrorRow[] = [
  errorRow(403, "HTTPS is required", "Plain HTTP, where the service demands HTTPS."),
  errorRow(
    429,
    "Too many requests",
    "Over the rate limit, or too many wrong secrets from one address. `Retry-After` says in how many seconds to try again.",
  ),
  errorRow(
    500,
    "Internal error. Request id: req_0f9d6c2b7a4e4f0c8a1d5b3e6f7a8c9d",
    "A fault of the service. Nothing was done; tell the request id.",
  ),
];

/** What is refused of any body. */
export const ANY_BODY: ErrorRow[] = [
  errorRow(400, "Malformed JSON", "The body is not JSON in UTF-8."),
  errorRow(
    413,
    `The body is larger than ${MAX_BODY_BYTES / 1024} KiB`,
    `The body is larger than ${MAX_BODY_BYTES} bytes.`,
  ),
  errorRow(415, "The body must be JSON (Content-Type: application/json)", "Another content type."),
  errorRow(415, "The body must be JSON in UTF-8", "Another charset."),
  errorRow(415, "The body's encoding is not supported", "A Content-Encoding: bodies are sent as they are."),
];

/** What is refused of an id in the path. */
export const ANY_PATH: ErrorRow[] = [
  errorRow(400, "Malformed address", "The path holds a broken percent-encoding."),
];

const SUSPENDED = errorRow(403, "This account is suspended.", "An administrator has suspended the account.");

/** How a caller of the Pay API's Basic routes is refused. */
export const BASIC_REFUSALS: ErrorRow[] = [
  errorRow(401, "Invalid API credentials.", "Client id or secret is missing or wrong."),
  errorRow(
    401,
    "Invalid API credentials. This is a live key.",
    "The secret is right, but the key is for the other mode's base path.",
  ),
  SUSPENDED,
];

/** How a client is refused its access token. */
export const TOKEN_REFUSALS: ErrorRow[] = [
  errorRow(400, "Invalid secret ID", "The client is unknown or the secret is wrong; one answer for both."),
  errorRow(
    400,
    "Invalid secret ID. This is a live key.",
    "The secret is right, but the key is for the other mode's base path.",
  ),
  SUSPENDED,
];

/** How a caller of the payment routes is refused. */
export const ACCESS_TOKEN_REFUSALS: ErrorRow[] = [
  errorRow(
    403,
    "Requested with invalid token!",
    "The access token is missing, malformed, expired or of the other mode, or its credential was revoked.",
  ),
];

/** How a caller of the Partner API is refused. */
export const PARTNER_REFUSALS: ErrorRow[] = [
  errorRow(401, "Invalid API credentials.", "The API token is missing or wrong."),
  errorRow(
    403,
    "Partner payout API is not enabled for this account.",
    "An administrator has not enabled the API for the account.",
  ),
  SUSPENDED,
];

/** The envelope of an error row. */
export const errorEnvelope = ({ status, text, fields }: ErrorRow): JsonObject => ({
  message: { code: status, error: [text] },
  data: [],
  type: "error",
  ...(fields ? { errors: fields } : {}),
});
