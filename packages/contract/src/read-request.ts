import { z } from "zod";
import { type FieldErrors, fieldErrors } from "./envelope.js";
import { misspeltFields } from "./misspelt.js";

/** The result of reading a request: the whole request, or all its faults with the fields that are right. */
export type ReadRequest<Data> =
  | { ok: true; data: Data }
  | { ok: false; errors: FieldErrors; right: Partial<Data> };

/**
 * Reads a body or query with a schema of the contract. It names every wrong, missing and misspelt field at once.
 * @param alreadyWrong faults that were found before, by field.
 */
export function readRequest<Schema extends z.ZodObject>(
  schema: Schema,
  input: unknown,
  alreadyWrong: FieldErrors = {},
): ReadRequest<z.output<Schema>> {
  const misspelt = misspeltFields(Object.keys(schema.shape), input);
  const parsed = schema.safeParse(input);
  const errors = {
    ...alreadyWrong,
    ...misspelt,
    ...(parsed.success ? {} : fieldErrors(parsed.error)),
  };
  if (parsed.success && Object.keys(errors).length === 0) return { ok: true, data: parsed.data };
  return { ok: false, errors, right: rightFields(schema, input, errors) };
}

/** The fields that can be read, each alone. */
function rightFields<Schema extends z.ZodObject>(
  schema: Schema,
  input: unknown,
  errors: FieldErrors,
): Partial<z.output<Schema>> {
  const sent = new Map(Object.entries(Object(input)));
  const right = new Map<string, z.ZodType>();
  for (const [name, field] of Object.entries(schema.shape))
    if (errors[name] === undefined && field instanceof z.ZodType) right.set(name, field);
  const parsed = z.object(Object.fromEntries(right)).partial().safeParse(Object.fromEntries(sent));
  return parsed.success ? (parsed.data as Partial<z.output<Schema>>) : {};
}
