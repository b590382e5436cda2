import { fieldErrors } from "@tillgate/contract";
import type { z } from "zod";
import { InvalidRequestError } from "./http-error.js";

/** Reads a body or query with a schema of the contract. @throws InvalidRequestError with sentences per field. */
export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw new InvalidRequestError(fieldErrors(parsed.error));
  return parsed.data;
}
