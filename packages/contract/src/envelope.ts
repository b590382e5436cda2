import { z } from "zod";
import {
  type Api,
  type ErrorCode,
  type ErrorParams,
  FieldRule,
  formatErrorText,
  getStatus,
} from "./errors/index.js";

export const errorEnvelopeSchema = z.object({
  message: z.object({
    code: z.int().describe("Equals the HTTP status."),
    error: z.array(z.string()).min(1).describe("The error messages."),
  }),
  data: z.tuple([]).meta({ items: {} }),
  type: z.literal("error"),
  error_code: z.string().describe("A stable identifier of the error, for programs."),
  param: z.string().optional().describe("The invalid field, if there is exactly one."),
  errors: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe("Validation errors only: the messages by field."),
  /** The payment page branches on this code. Internal checkout API only. */
  reason: z.string().optional(),
  /** Internal checkout API only: how much the wallet is short, formatted (`3.20 USD`). */
  missing: z.string().optional(),
});
/** Older servers may send no code. */
export const receivedErrorSchema = errorEnvelopeSchema.partial({ error_code: true });
export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;

/** Builds the success envelope of every API, except the Pay API's token and payment routes (`paymentEnvelope`). */
export const successEnvelope = <T extends z.ZodType>(data: T) =>
  z.object({
    message: z
      .object({
        success: z.array(z.string()).min(1).meta({ description: "A success message." }),
      })
      .meta({ description: "The outcome." }),
    data,
  });

/** Messages by field, as complete sentences. */
export type FieldErrors = Record<string, string[]>;

export type ErrorDetails = ErrorParams & {
  /** Messages by field, for {@link ErrorCode.InvalidFields}. */
  fields?: FieldErrors | undefined;
  /** Internal checkout API only: how much the wallet is short, formatted. */
  missing?: string | undefined;
  /** Internal console API only: a more specific message, and one message per line of a file. */
  message?: string | undefined;
  lines?: readonly string[] | undefined;
};

/** Returns the only invalid field or, without one, the field that the error always concerns, if any. */
function describeInvalidParam({ param }: ErrorCode, fields: FieldErrors | undefined): string | undefined {
  const [first, ...others] = Object.keys(fields ?? {});
  return first !== undefined && others.length === 0 ? first : param;
}

export function errorEnvelope(error: ErrorCode, api: Api, details: ErrorDetails = {}): ErrorEnvelope {
  const { fields, message, lines = [] } = details;
  const sentences =
    api === "console" && message !== undefined ? [message, ...lines] : [formatErrorText(error, details)];
  const param = describeInvalidParam(error, fields);
  const { reason } = error;
  return {
    message: {
      code: getStatus(error, api),
      error: fields && api !== "partner" ? Object.values(fields).flat() : sentences,
    },
    data: [],
    type: "error",
    error_code: error.code,
    ...(param ? { param } : {}),
    ...(fields ? { errors: fields } : {}),
    ...(api === "checkout" && reason ? { reason } : {}),
    ...(api === "checkout" && details.missing ? { missing: details.missing } : {}),
  };
}

/** A request with a long list could have thousands of invalid fields. */
const MAX_FIELD_ERRORS = 100;

/** Returns messages by field, such as `The amount field is required`, in the order of the issues, for at most {@link MAX_FIELD_ERRORS} fields. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const fields = new Map<string, string[]>();
  for (const { path, message } of error.issues.flatMap(toFieldIssues)) {
    const field = path.length === 0 ? "body" : path.join(".");
    if (!fields.has(field) && fields.size === MAX_FIELD_ERRORS) break;
    const text = field === "body" ? "The body must be a JSON object" : fieldError(field, message);
    fields.set(field, [...(fields.get(field) ?? []), text]);
  }
  return Object.fromEntries(fields);
}

const MAX_NAME_LENGTH = 100;

/** Splits an issue of unknown fields, which concerns their object, into one issue per field. */
const toFieldIssues = (issue: z.core.$ZodIssue): Pick<z.core.$ZodIssue, "path" | "message">[] =>
  issue.code === "unrecognized_keys"
    ? issue.keys.map((key) => ({
        path: [...issue.path, key.slice(0, MAX_NAME_LENGTH)],
        message: FieldRule.Unknown.text,
      }))
    : [issue];

export const fieldError = (field: string, rest: string): string => `The ${field} field ${rest}`;
