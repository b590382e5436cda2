import { type FieldErrors, Refusal, readRequest } from "@tillgate/contract";
import type { Request } from "express";
import type { z } from "zod";
import { OperationError } from "../../operation-error.js";
import { keyedBody } from "./idempotency-key.js";

/**
 * The operation's own rules for the right fields. Used only when others are wrong, so that all faults are named at once.
 */
type Check<Data> = (right: Partial<Data>) => Promise<FieldErrors>;

const noOtherRule = async (): Promise<FieldErrors> => ({});

/**
 * Reads a query, or a body of a request that creates nothing.
 * @throws OperationError InvalidFields, naming every wrong field.
 */
export function parse<Schema extends z.ZodObject>(schema: Schema, input: unknown): z.output<Schema> {
  const read = readRequest(schema, input);
  if (read.ok) return read.data;
  throw new OperationError(Refusal.InvalidFields, { fields: read.errors });
}

/** Like {@link parse}, with the operation's own rules beside the contract's. */
export async function parseAndCheck<Schema extends z.ZodObject>(
  schema: Schema,
  input: unknown,
  check: Check<z.output<Schema>>,
  alreadyWrong: FieldErrors = {},
): Promise<z.output<Schema>> {
  const read = readRequest(schema, input, alreadyWrong);
  if (read.ok) return read.data;
  throw await refusalOf(read, check);
}

/** The refusal of a request that cannot be read: every field that is wrong by the contract or by the operation's rules. */
export const refusalOf = async <Data>(
  { errors, right }: { errors: FieldErrors; right: Partial<Data> },
  check: Check<Data>,
): Promise<OperationError> =>
  new OperationError(Refusal.InvalidFields, { fields: { ...(await check(right)), ...errors } });

/**
 * Reads the body of a request that creates something, with its idempotency key from the body or from the header.
 * @throws OperationError InvalidFields, naming every field that is wrong by the contract or by the operation's rules.
 */
export function parseKeyed<Schema extends z.ZodObject>(
  schema: Schema,
  request: Request,
  check: Check<z.output<Schema>> = noOtherRule,
): Promise<z.output<Schema>> {
  const { body, wrong } = keyedBody(request);
  return parseAndCheck(schema, body, check, wrong);
}
