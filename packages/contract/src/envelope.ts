import { z } from "zod";
import { type Api, type ErrorCode, type ErrorParams, statusOf, textOf } from "./errors/index.js";

/** Every error answer of every API. `errors` names the fields of a validation error. */
export const errorEnvelopeSchema = z.object({
  message: z.object({
    code: z.int().describe("Equals the HTTP status."),
    error: z.array(z.string()).min(1).describe("What is wrong, as sentences."),
  }),
  data: z.tuple([]).meta({ items: {} }),
  type: z.literal("error"),
  /** The error's code. It is stable, so programs decide by it and not by the text. */
  error_code: z.string().describe("Which error it is; never changes."),
  /** The one wrong field, where there is one. */
  param: z.string().optional().describe("The field that is to blame, where it is one."),
  errors: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe("Only when fields are wrong: the sentences by field."),
  /** Only on the checkout edge: the page decides by it. */
  reason: z.string().optional(),
  /** Only on the checkout edge: the missing amount of a wallet, formatted, `3.20 USD`. */
  missing: z.string().optional(),
});
/** An error as a caller reads it: its texts are of use without the code too. */
export const receivedErrorSchema = errorEnvelopeSchema.partial({ error_code: true });
export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;

/** A success answer of orders, refunds and the partner API around `data`. */
export const successEnvelope = <T extends z.ZodType>(data: T) =>
  z.object({
    message: z
      .object({
        success: z.array(z.string()).min(1).meta({ description: "What was done, in one sentence." }),
      })
      .meta({ description: "The outcome in words." }),
    data,
  });

/** Fields and what is wrong with each, as complete sentences. */
export type FieldErrors = Record<string, string[]>;

/** The facts of one error, in addition to its row. */
export type ErrorDetails = ErrorParams & {
  /** Sentences by field, for {@link ErrorCode.InvalidFields}. */
  fields?: FieldErrors | undefined;
  /** On the checkout edge: the missing amount of a wallet, formatted. */
  missing?: string | undefined;
  /** On the console edge: the sentence of an operation that says more than the text, and one for each line of a file. */
  sentence?: string | undefined;
  lines?: readonly string[] | undefined;
};

/** The one field of an error that names its fields, or else the one that the error is always about. */
function wrongParam({ param }: ErrorCode, fields: FieldErrors | undefined): string | undefined {
  const [only, ...others] = Object.keys(fields ?? {});
  return only !== undefined && others.length === 0 ? only : param;
}

/** The answer to a refused request, on one API. */
export function errorEnvelope(error: ErrorCode, api: Api, details: ErrorDetails = {}): ErrorEnvelope {
  const { fields, sentence, lines = [] } = details;
  const sentences =
    api === "console" && sentence !== undefined ? [sentence, ...lines] : [textOf(error, details)];
  const param = wrongParam(error, fields);
  const { reason } = error;
  return {
    message: {
      code: statusOf(error, api),
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

/** Turns a schema's findings into sentences, `The amount field is required`, in the order of the fields. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const fields: FieldErrors = {};
  for (const issue of error.issues) {
    const field = issue.path.length === 0 ? "body" : issue.path.join(".");
    const sentence = field === "body" ? "The body must be a JSON object" : fieldError(field, issue.message);
    fields[field] = [...(fields[field] ?? []), sentence];
  }
  return fields;
}

/** One sentence about one field. */
export const fieldError = (field: string, rest: string): string => `The ${field} field ${rest}`;
