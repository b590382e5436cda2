import { z } from "zod";

/** Every error answer of every API. `errors` names the fields of a validation error. */
export const errorEnvelopeSchema = z.object({
  message: z.object({ code: z.int(), error: z.array(z.string()).min(1) }),
  data: z.tuple([]),
  type: z.literal("error"),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  /** Only on the checkout edge: what the page decides by. */
  reason: z.string().optional(),
  /** Only on the checkout edge: what a wallet lacks, formatted, `3.20 USD`. */
  missing: z.string().optional(),
});
export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;

/** A success answer of orders, refunds and the partner API around `data`. */
export const successEnvelope = <T extends z.ZodType>(data: T) =>
  z.object({ message: z.object({ success: z.array(z.string()).min(1) }), data });

/** Fields and what is wrong with each, as complete sentences. */
export type FieldErrors = Record<string, string[]>;

/** Turns what a schema found into sentences, `The amount field is required`, in the order of the fields. */
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
