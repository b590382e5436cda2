import { errorEnvelope, type FieldErrors, fieldError } from "../envelope.js";
import {
  type Api,
  ErrorCode,
  type FieldRule,
  formatErrorText,
  getCause,
  getStatus,
} from "../errors/index.js";
import { type JsonObject, toPlainJson } from "./describe-schema.js";

/** An invalid field: the rest of the message after its name, and the cause. */
export type WrongField = { field: string; rule: string; cause: string };

/** The credentials of a call, by the name of their security scheme. */
export type Credentials = "clientCredentials" | "accessToken" | "apiToken";

/** One documented error of an operation. */
export type ErrorRow = ErrorCode | WrongField;

/** Creates the error for an invalid field: 400 with a message per field on the Pay API, 422 with a single text on the Partner API. */
export const wrongField = (field: string, { text, cause }: FieldRule): WrongField => ({
  field,
  rule: text,
  cause,
});

/** Example values of the placeholders in error texts. */
const EXAMPLE_PARAMS = {
  currency: "USD",
  mode: "live",
  requestId: "req_0f9d6c2b7a4e4f0c8a1d5b3e6f7a8c9d",
} as const;

/** Errors of any request. */
export const ANY_REQUEST: ErrorRow[] = [
  ErrorCode.HttpsRequired,
  ErrorCode.TooManyRequests,
  ErrorCode.InternalError,
  ErrorCode.Unavailable,
];

/** Errors of any request with a body. */
export const ANY_BODY: ErrorRow[] = [
  ErrorCode.MalformedJson,
  ErrorCode.BodyTooLarge,
  ErrorCode.NotJson,
  ErrorCode.UnsupportedCharset,
  ErrorCode.UnsupportedEncoding,
];

/** Errors of any path with an ID. */
export const ANY_PATH: ErrorRow[] = [ErrorCode.MalformedAddress];

/** Errors of any request with these credentials. */
export const CREDENTIAL_ERRORS: Record<Credentials, ErrorRow[]> = {
  clientCredentials: [ErrorCode.InvalidCredentials, ErrorCode.WrongMode, ErrorCode.MerchantSuspended],
  accessToken: [ErrorCode.InvalidAccessToken],
  apiToken: [ErrorCode.InvalidCredentials, ErrorCode.PartnerApiDisabled, ErrorCode.MerchantSuspended],
};

/** An error as the document shows it. */
export type ErrorExample = { status: number; summary: string; cause: string; envelope: JsonObject };

/** Renders an error for one API. */
export function errorExample(row: ErrorRow, api: Api): ErrorExample {
  if ("field" in row) {
    const message = fieldError(row.field, row.rule);
    const fields: FieldErrors = { [row.field]: [message] };
    const { InvalidFields } = ErrorCode;
    return {
      status: getStatus(InvalidFields, api),
      summary: message,
      cause: row.cause,
      envelope: toPlainJson(errorEnvelope(InvalidFields, api, { fields })),
    };
  }
  return {
    status: getStatus(row, api),
    summary: formatErrorText(row, EXAMPLE_PARAMS),
    cause: getCause(row, api),
    envelope: toPlainJson(errorEnvelope(row, api, EXAMPLE_PARAMS)),
  };
}
