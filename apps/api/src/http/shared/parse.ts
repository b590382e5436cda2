import { ErrorCode, type FieldErrors, FieldRule, fieldError, readRequest } from "@tillgate/contract";
import type { Request } from "express";
import type { z } from "zod";
import { OperationError } from "../../errors.js";

const FIELD = "idempotency_key";

/** Decodes a header as UTF-8, so that a key equals the same key in a body. Node decodes headers as latin1. */
const decodeHeader = (header: string): string => Buffer.from(header, "latin1").toString("utf8");

export const isObject = (body: unknown): body is Record<string, unknown> =>
  typeof body === "object" && body !== null && !Array.isArray(body);

/**
 * Adds the `Idempotency-Key` header to the body as `idempotency_key`; an empty header is an empty key. `wrong` contains the field error if two
 * headers, or header and body, have different keys.
 */
export function readIdempotentBody(request: Request): { body: unknown; wrong: FieldErrors } {
  const body: unknown = request.body;
  const headers = new Set(request.headersDistinct["idempotency-key"]?.map(decodeHeader));
  const [key] = headers;
  if (key === undefined) return { body, wrong: {} };
  const wrong = (rule: string) => ({ body, wrong: { [FIELD]: [fieldError(FIELD, rule)] } });
  if (headers.size > 1) return wrong(FieldRule.OneKeyHeader.text);
  // A body that is not an object is rejected as a whole. Without a body there is nothing to merge.
  if (!isObject(body)) return { body, wrong: {} };
  const field = body[FIELD] ?? undefined;
  if (field !== undefined && field !== key) return wrong(FieldRule.KeyAsInHeader.text);
  return { body: { ...body, [FIELD]: key }, wrong: {} };
}

/** Checks the valid fields of a request whose other fields are invalid, so that all errors are reported together. */
type Check<Data> = (validFields: Partial<Data>) => Promise<FieldErrors>;

const noExtraCheck = async (): Promise<FieldErrors> => ({});

/** Parses a query, or the body of a request that creates nothing. @throws OperationError InvalidFields, naming every invalid field. */
export function parse<Schema extends z.ZodObject>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = readRequest(schema, input);
  if (parsed.ok) return parsed.data;
  throw new OperationError(ErrorCode.InvalidFields, { fields: parsed.errors });
}

/** Like {@link parse}, but the error also names fields that violate the operation's rules. The request is invalid if there are `knownErrors`. */
export async function parseAndCheck<Schema extends z.ZodObject>(
  schema: Schema,
  input: unknown,
  check: Check<z.output<Schema>>,
  knownErrors: FieldErrors = {},
): Promise<z.output<Schema>> {
  const parsed = readRequest(schema, input, knownErrors);
  if (parsed.ok) return parsed.data;
  throw await toInvalidFields(parsed, check);
}

export const toInvalidFields = async <Data>(
  { errors, validFields }: { errors: FieldErrors; validFields: Partial<Data> },
  check: Check<Data>,
): Promise<OperationError> =>
  new OperationError(ErrorCode.InvalidFields, { fields: { ...(await check(validFields)), ...errors } });

/**
 * Parses the body of a request that creates something, with its idempotency key.
 * @throws OperationError InvalidFields like {@link parseAndCheck}, and for different keys in body and header.
 */
export function parseIdempotent<Schema extends z.ZodObject>(
  schema: Schema,
  request: Request,
  check: Check<z.output<Schema>> = noExtraCheck,
): Promise<z.output<Schema>> {
  const { body, wrong } = readIdempotentBody(request);
  return parseAndCheck(schema, body, check, wrong);
}

/** Returns a path parameter. A value that contains NUL, which PostgreSQL cannot store, becomes an empty string, which is never an ID. */
export function pathParameter(request: Request, name: string): string {
  const value = String(request.params[name] ?? "");
  return value.includes("\u0000") ? "" : value;
}
