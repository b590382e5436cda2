import { fieldErrors, Refusal } from "@tillgate/contract";
import type { z } from "zod";
import { OperationError } from "../../operation-error.js";

/** Reads a body or query with a schema of the contract. @throws OperationError InvalidFields, with sentences by field. */
export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw new OperationError(Refusal.InvalidFields, { fields: fieldErrors(parsed.error) });
  return parsed.data;
}
