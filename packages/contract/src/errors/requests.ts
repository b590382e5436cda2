import { MAX_BODY_BYTES } from "../limits.js";
import { defineErrors } from "./error.js";

export const CALLER_ERRORS = defineErrors({
  /** The response does not reveal which part is wrong. */
  InvalidCredentials: {
    code: "invalid_credentials",
    status: 401,
    text: "Invalid API credentials.",
    cause: {
      pay: "The client ID or secret is missing or wrong.",
      partner: "The API token is missing or wrong.",
    },
  },
  WrongMode: {
    code: "wrong_mode",
    status: 401,
    text: "Invalid API credentials. This is a {mode} key.",
    cause: "The secret is correct, but the key belongs to the other mode's base path.",
  },
  InvalidSecretId: {
    code: "invalid_secret_id",
    status: 400,
    text: "Invalid secret ID",
    cause: "The client is unknown or the secret is wrong.",
  },
  SecretIdOfOtherMode: {
    code: "secret_id_of_other_mode",
    status: 400,
    text: "Invalid secret ID. This is a {mode} key.",
    cause: "The secret is correct, but the key belongs to the other mode's base path.",
  },
  InvalidAccessToken: {
    code: "invalid_access_token",
    status: 403,
    text: "Requested with invalid token!",
    cause:
      "The access token is missing, malformed, expired or of the other mode, or its credential has been revoked.",
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
    text: "This key is read-only.",
    cause: "The key is read-only, and the call is not a read.",
  },
  OrderOnlyCredential: {
    code: "order_only_credential",
    status: 403,
    text: "This key may only create and cancel orders.",
    cause: "The key is limited to orders, and the call would change something else.",
  },
  ReportsOnlyCredential: {
    code: "reports_only_credential",
    status: 403,
    text: "This key may only read reports.",
    cause: "The key is limited to reports, and the call is another one.",
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
      "The rate limit is exceeded, or one IP address sent too many wrong secrets. Retry after `Retry-After` seconds.",
  },
});

export const REQUEST_ERRORS = defineErrors({
  MalformedRequest: {
    code: "malformed_request",
    status: 400,
    text: "Malformed request",
    cause: "The request is not valid HTTP.",
  },
  UnknownExpectation: {
    code: "unknown_expectation",
    status: 417,
    text: "The Expect header must be 100-continue or omitted",
    cause: "The Expect header has another value.",
  },
  MissingHost: {
    code: "missing_host",
    status: 400,
    text: "The Host header is missing",
    cause: "The HTTP/1.1 request has no Host header.",
  },
  MalformedAddress: {
    code: "malformed_address",
    status: 400,
    text: "Malformed URL",
    cause: "The path contains an invalid percent-encoding.",
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
    text: "The request was incomplete",
    cause: "The connection closed before the end of the body.",
  },
  WrongBodyLength: {
    code: "wrong_body_length",
    status: 400,
    text: "The body's length differs from Content-Length",
    cause: "The body is longer or shorter than Content-Length.",
  },
  RequestTooSlow: {
    code: "request_too_slow",
    status: 408,
    text: "The request took too long to arrive",
    cause: "The request was not received in time.",
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
    cause: "The content type is not JSON.",
  },
  UnsupportedCharset: {
    code: "unsupported_charset",
    status: 415,
    text: "The body must be JSON in UTF-8",
    cause: "The charset is not UTF-8.",
  },
  UnsupportedEncoding: {
    code: "unsupported_encoding",
    status: 415,
    text: "The body's encoding is not supported",
    cause: "The request has a Content-Encoding. Compressed bodies are not supported.",
  },
  HeadersTooLarge: {
    code: "headers_too_large",
    status: 431,
    text: "The request's headers are too large",
    cause: "The headers exceed the size limit of Node.js.",
  },
  UnknownRoute: {
    code: "unknown_route",
    status: 404,
    text: "Unknown route",
    cause: "The path does not exist.",
  },
  MethodNotAllowed: {
    code: "method_not_allowed",
    status: 405,
    text: "Method not allowed",
    cause: "The path does not support this method. `Allow` lists those it supports.",
  },
  HttpsRequired: {
    code: "https_required",
    status: 403,
    text: "HTTPS is required",
    cause: "The request used plain HTTP, but the service requires HTTPS.",
  },
  /** The text applies to the Partner API; other APIs return the messages of the fields. */
  InvalidFields: {
    code: "invalid_fields",
    status: { pay: 400, partner: 422, checkout: 400, console: 400 },
    text: "Validation error",
    cause: "A field is missing or invalid. Every such field is listed.",
    reason: "invalid_field",
  },
});

export const SERVER_ERRORS = defineErrors({
  InternalError: {
    code: "internal_error",
    status: 500,
    text: "Internal error. Request ID: {requestId}",
    cause:
      "An unexpected error; the outcome of a write is unknown. Retry it with the same idempotency key, and send the request ID to the operator.",
  },
  DatabaseSilent: {
    code: "database_silent",
    status: 503,
    text: "The database does not respond",
    cause: "The service is not ready. Retry after `Retry-After` seconds.",
  },
  DatabaseFull: {
    code: "database_full",
    status: 503,
    text: "The database is out of disk space",
    cause: "The database's disk is full. Writes fail until the operator frees space; reads still work.",
  },
  DatabaseBusy: {
    code: "database_busy",
    status: 503,
    text: "All connections to the database are in use",
    cause: "Too many calls are waiting for the database. Retry after `Retry-After` seconds.",
  },
  AboutToEnd: {
    code: "about_to_end",
    status: 503,
    text: "The server is shutting down",
    cause: "This process completes accepted requests and accepts no new ones.",
  },
  Unavailable: {
    code: "unavailable",
    status: 503,
    text: "The service is temporarily unavailable. Try again shortly.",
    cause:
      "The database is unreachable or busy. Repeat the request after `Retry-After` seconds; with the same idempotency key, it is safe.",
  },
});
