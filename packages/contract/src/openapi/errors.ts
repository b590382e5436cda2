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

/** `rule`: the message after the field's name. */
export type WrongField = { field: string; rule: string; cause: string };

/** Names of security schemes. */
export type Credentials = "clientCredentials" | "accessToken" | "apiToken";

export type ErrorRow = ErrorCode | WrongField;

/** Describes an invalid field: 400 with a message per field on the Pay API, 422 with a single text on the Partner API. */
export const wrongField = (field: string, { text, cause }: FieldRule): WrongField => ({
  field,
  rule: text,
  cause,
});

const EXAMPLE_PARAMS = {
  currency: "USD",
  mode: "live",
  requestId: "req_0f9d6c2b7a4e4f0c8a1d5b3e6f7a8c9d",
} as const;

export const ANY_REQUEST: ErrorRow[] = [
  ErrorCode.HttpsRequired,
  ErrorCode.TooManyRequests,
  ErrorCode.InternalError,
  ErrorCode.Unavailable,
];

export const ANY_BODY: ErrorRow[] = [
  ErrorCode.MalformedJson,
  ErrorCode.BodyTooLarge,
  ErrorCode.NotJson,
  ErrorCode.UnsupportedCharset,
  ErrorCode.UnsupportedEncoding,
];

export const ANY_PATH: ErrorRow[] = [ErrorCode.MalformedAddress];

export const CREDENTIAL_ERRORS: Record<Credentials, ErrorRow[]> = {
  clientCredentials: [ErrorCode.InvalidCredentials, ErrorCode.WrongMode, ErrorCode.MerchantSuspended],
  accessToken: [ErrorCode.InvalidAccessToken],
  apiToken: [ErrorCode.InvalidCredentials, ErrorCode.PartnerApiDisabled, ErrorCode.MerchantSuspended],
};

export type ErrorExample = { status: number; summary: string; cause: string; envelope: JsonObject };

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
