import { MAX_BODY_BYTES } from "../limits.js";
import { defineErrors } from "./error.js";

/** Errors of callers: by their credentials, and by how often they call. */
export const CALLER_ERRORS = defineErrors({
  /** Missing, malformed, unknown, revoked or wrong: the answer does not say which. */
  InvalidCredentials: {
    code: "invalid_credentials",
    status: 401,
    text: "Invalid API credentials.",
    cause: {
      pay: "Client id or secret is missing or wrong.",
      partner: "The API token is missing or wrong.",
    },
  },
  WrongMode: {
    code: "wrong_mode",
    status: 401,
    text: "Invalid API credentials. This is a {mode} key.",
    cause: "The secret is right, but the key is for the other mode's base path.",
  },
  InvalidSecretId: {
    code: "invalid_secret_id",
    status: 400,
    text: "Invalid secret ID",
    cause: "The client is unknown or the secret is wrong; one answer for both.",
  },
  SecretIdOfOtherMode: {
    code: "secret_id_of_other_mode",
    status: 400,
    text: "Invalid secret ID. This is a {mode} key.",
    cause: "The secret is right, but the key is for the other mode's base path.",
  },
  InvalidAccessToken: {
    code: "invalid_access_token",
    status: 403,
    text: "Requested with invalid token!",
    cause:
      "The access token is missing, malformed, expired or of the other mode, or its credential was revoked.",
  },
  PartnerApiDisabled: {
    code: "partner_api_disabled",
    status: 403,
    text: "Partner payout API is not enabled for this account.",
    cause: "An administrator has not enabled the API for the account.",
  },
  ReadOnlyCredential: {
    code: "read_only_credential",
    status: 403,
    text: "This key may only read.",
    cause: "The key was made for reading only, and the call would change or ask for something.",
  },
  OrderOnlyCredential: {
    code: "order_only_credential",
    status: 403,
    text: "This key may only create and cancel orders.",
    cause: "The key was created for orders only, and the call would change something else.",
  },
  MerchantSuspended: {
    code: "merchant_suspended",
    status: 403,
    text: "This account is suspended.",
    cause: "An administrator has suspended the account.",
  },
  TooManyRequests: {
    code: "too_many_requests",
    status: 429,
    text: "Too many requests",
    cause:
      "Over the rate limit, or too many wrong secrets from one address. `Retry-After` says in how many seconds to try again.",
  },
});

/** Errors of a request before its operation. */
export const REQUEST_ERRORS = defineErrors({
  MalformedRequest: {
    code: "malformed_request",
    status: 400,
    text: "Malformed request",
    cause: "What arrived is not HTTP.",
  },
  UnknownExpectation: {
    code: "unknown_expectation",
    status: 417,
    text: "The Expect header must be 100-continue or left out",
    cause: "An Expect header that asks for something else.",
  },
  MissingHost: {
    code: "missing_host",
    status: 400,
    text: "The Host header is missing",
    cause: "An HTTP/1.1 request without Host.",
  },
  MalformedAddress: {
    code: "malformed_address",
    status: 400,
    text: "Malformed address",
    cause: "The path holds a broken percent-encoding.",
  },
  MalformedJson: {
    code: "malformed_json",
    status: 400,
    text: "Malformed JSON",
    cause: "The body is not JSON in UTF-8.",
  },
  RequestCutOff: {
    code: "request_cut_off",
    status: 400,
    text: "The request was cut off",
    cause: "The connection ended before the body did.",
  },
  WrongBodyLength: {
    code: "wrong_body_length",
    status: 400,
    text: "The body's length is not what was announced",
    cause: "Content-Length and body differ.",
  },
  RequestTooSlow: {
    code: "request_too_slow",
    status: 408,
    text: "The request took too long to arrive",
    cause: "The request was not complete in time.",
  },
  BodyTooLarge: {
    code: "body_too_large",
    status: 413,
    text: `The body is larger than ${MAX_BODY_BYTES / 1024} KiB`,
    cause: `The body is larger than ${MAX_BODY_BYTES} bytes.`,
  },
  NotJson: {
    code: "not_json",
    status: 415,
    text: "The body must be JSON (Content-Type: application/json)",
    cause: "Another content type.",
  },
  UnsupportedCharset: {
    code: "unsupported_charset",
    status: 415,
    text: "The body must be JSON in UTF-8",
    cause: "Another charset.",
  },
  UnsupportedEncoding: {
    code: "unsupported_encoding",
    status: 415,
    text: "The body's encoding is not supported",
    cause: "A Content-Encoding: bodies are sent as they are.",
  },
  HeadersTooLarge: {
    code: "headers_too_large",
    status: 431,
    text: "The request's headers are too large",
    cause: "The headers are larger than Node.js reads.",
  },
  UnknownRoute: {
    code: "unknown_route",
    status: 404,
    text: "Unknown route",
    cause: "Nothing is served under this path.",
  },
  MethodNotAllowed: {
    code: "method_not_allowed",
    status: 405,
    text: "Method not allowed",
    cause: "The path is served with other methods; `Allow` names them.",
  },
  HttpsRequired: {
    code: "https_required",
    status: 403,
    text: "HTTPS is required",
    cause: "Plain HTTP, where the service demands HTTPS.",
  },
  /** Wrong or missing fields; each is named with its sentences, which are the texts everywhere but on the Partner API. */
  InvalidFields: {
    code: "invalid_fields",
    status: { pay: 400, partner: 422, checkout: 400, console: 400 },
    text: "Validation error",
    cause: "A field is missing or cannot be used; every such field is named.",
    reason: "invalid_field",
  },
});

/** Faults of the service, not of the caller. */
export const SERVER_ERRORS = defineErrors({
  InternalError: {
    code: "internal_error",
    status: 500,
    text: "Internal error. Request id: {requestId}",
    cause: "A fault of the service. Nothing was done; tell the request id.",
  },
  DatabaseSilent: {
    code: "database_silent",
    status: 503,
    text: "The database does not answer",
    cause: "The service is not ready; `Retry-After` says in how many seconds to ask again.",
  },
  DatabaseFull: {
    code: "database_full",
    status: 503,
    text: "The database has no room left",
    cause:
      "The disk of the database is full. Nothing new can be kept until the operator makes room; what stands can be read.",
  },
  DatabaseBusy: {
    code: "database_busy",
    status: 503,
    text: "All connections to the database are in use",
    cause: "More calls wait for the database than may. `Retry-After` says in how many seconds to ask again.",
  },
  AboutToEnd: {
    code: "about_to_end",
    status: 503,
    text: "The api is about to end",
    cause: "This process finishes what it has accepted and takes no more.",
  },
  Unavailable: {
    code: "unavailable",
    status: 503,
    text: "The service cannot answer now. Try again shortly.",
    cause:
      "The database is away or busy. `Retry-After` says in how many seconds to repeat the same request; with its idempotency key nothing happens twice.",
  },
});
