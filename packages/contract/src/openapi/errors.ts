import { errorEnvelope, type FieldErrors, fieldError } from "../envelope.js";
import { type Api, causeOf, ErrorCode, type FieldRule, statusOf, textOf } from "../errors/index.js";
import { type JsonObject, plain } from "./describe-schema.js";

/** A field that is refused: the sentence behind its name, and what causes it. */
export type WrongField = { field: string; rule: string; cause: string };

/** One way to be refused, as an operation lists it. */
export type ErrorRow = ErrorCode | WrongField;

/** A refused field: 400 with its sentences on the Pay API, 422 with one text on the Partner API. */
export const wrongField = (field: string, { text, cause }: FieldRule): WrongField => ({
  field,
  rule: text,
  cause,
});

/** The example values for the open places of a text in the document. */
const EXAMPLE_WORDS = {
  currency: "USD",
  mode: "live",
  requestId: "req_0f9d6c2b7a4e4f0c8a1d5b3e6f7a8c9d",
} as const;

/** The errors that HTTP itself has for any request. */
export const ANY_REQUEST: ErrorRow[] = [
  ErrorCode.HttpsRequired,
  ErrorCode.TooManyRequests,
  ErrorCode.InternalError,
  ErrorCode.Unavailable,
];

/** The errors of any body. */
export const ANY_BODY: ErrorRow[] = [
  ErrorCode.MalformedJson,
  ErrorCode.BodyTooLarge,
  ErrorCode.NotJson,
  ErrorCode.UnsupportedCharset,
  ErrorCode.UnsupportedEncoding,
];

/** The errors of an id in the path. */
export const ANY_PATH: ErrorRow[] = [ErrorCode.MalformedAddress];

/** The errors of a caller of the Pay API's Basic routes. */
export const BASIC_ERRORS: ErrorRow[] = [
  ErrorCode.InvalidCredentials,
  ErrorCode.WrongMode,
  ErrorCode.MerchantSuspended,
];

/** The errors of a client that asks for an access token. */
export const TOKEN_ERRORS: ErrorRow[] = [
  ErrorCode.InvalidSecretId,
  ErrorCode.SecretIdOfOtherMode,
  ErrorCode.MerchantSuspended,
];

/** The errors of a caller of the payment routes. */
export const ACCESS_TOKEN_ERRORS: ErrorRow[] = [ErrorCode.InvalidAccessToken];

/** The errors of a caller of the Partner API. */
export const PARTNER_ERRORS: ErrorRow[] = [
  ErrorCode.InvalidCredentials,
  ErrorCode.PartnerApiDisabled,
  ErrorCode.MerchantSuspended,
];

/** What the document shows of an error row. */
export type ErrorExample = { status: number; summary: string; cause: string; envelope: JsonObject };

/** Writes an error row out for one API. */
export function errorExample(row: ErrorRow, api: Api): ErrorExample {
  if ("field" in row) {
    const sentence = fieldError(row.field, row.rule);
    const fields: FieldErrors = { [row.field]: [sentence] };
    const { InvalidFields } = ErrorCode;
    return {
      status: statusOf(InvalidFields, api),
      summary: sentence,
      cause: row.cause,
      envelope: plain(errorEnvelope(InvalidFields, api, { fields })),
    };
  }
  return {
    status: statusOf(row, api),
    summary: textOf(row, EXAMPLE_WORDS),
    cause: causeOf(row, api),
    envelope: plain(errorEnvelope(row, api, EXAMPLE_WORDS)),
  };
}
