import { z } from "zod";
import { type FieldErrors, fieldError, fieldErrors } from "./envelope.js";
import { misspeltRule } from "./errors/field-errors.js";

/** The limit is 1 for names of up to four letters. */
const MAX_EDIT_DISTANCE = 2;
const SHORT_NAME = 4;
/** Longer names are not compared. */
const MAX_NAME_LENGTH = 100;
/** Further unknown fields are not compared, because comparing thousands would take seconds. */
const MAX_UNKNOWN_FIELDS = 100;

/** Returns the letters and digits in lower case, which are the same for `callbackUrl`, `callback-url` and `CALLBACK_URL`. */
const normalizeName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Counts insertions, deletions, substitutions and transpositions of adjacent characters. @returns `limit` + 1 for any larger distance. */
export function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return limit + 1;
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  const distanceAt = (row: number, column: number): number => rows[row]?.[column] ?? limit + 1;
  for (let row = 1; row <= from.length; row += 1) {
    const costs = [row];
    rows.push(costs);
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const exchanged = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      costs.push(
        Math.min(
          distanceAt(row - 1, column) + 1,
          distanceAt(row, column - 1) + 1,
          distanceAt(row - 1, column - 1) + (same ? 0 : 1),
          exchanged ? distanceAt(row - 2, column - 2) + 1 : limit + 1,
        ),
      );
    }
  }
  return Math.min(distanceAt(from.length, to.length), limit + 1);
}

function looksLike(sentName: string, known: string): boolean {
  const allowed = known.length <= SHORT_NAME ? 1 : MAX_EDIT_DISTANCE;
  return editDistance(normalizeName(sentName), normalizeName(known), allowed) <= allowed;
}

const isLeftOut = (value: unknown): boolean => value === undefined || value === null || value === "";

/** Finds unknown fields that resemble a missing field: `amout: 1` must not become a full refund. @returns a message per field, with both names. */
export function findMisspeltFields(known: readonly string[], input: unknown): FieldErrors {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return {};
  const sent = new Map(Object.entries(input));
  const missing = known.filter((name) => isLeftOut(sent.get(name)));
  const fields: FieldErrors = {};
  const names = new Set(known);
  const unknown = [...sent.keys()].filter((name) => !names.has(name) && name.length <= MAX_NAME_LENGTH);
  for (const sentName of unknown.slice(0, MAX_UNKNOWN_FIELDS)) {
    const intended = missing.find((name) => looksLike(sentName, name));
    if (intended !== undefined) fields[sentName] = [fieldError(sentName, misspeltRule(intended).text)];
  }
  return fields;
}

export type ReadRequest<Data> =
  | { ok: true; data: Data }
  | { ok: false; errors: FieldErrors; validFields: Partial<Data> };

/** Parses a body or query. @param alreadyWrong errors found earlier, by field, which are reported too. */
export function readRequest<Schema extends z.ZodObject>(
  schema: Schema,
  input: unknown,
  alreadyWrong: FieldErrors = {},
): ReadRequest<z.output<Schema>> {
  const misspelt = findMisspeltFields(Object.keys(schema.shape), input);
  const parsed = schema.safeParse(input);
  const errors = {
    ...alreadyWrong,
    ...misspelt,
    ...(parsed.success ? {} : fieldErrors(parsed.error)),
  };
  if (parsed.success && Object.keys(errors).length === 0) return { ok: true, data: parsed.data };
  return { ok: false, errors, validFields: pickValidFields(schema, input, errors) };
}

function pickValidFields<Schema extends z.ZodObject>(
  schema: Schema,
  input: unknown,
  errors: FieldErrors,
): Partial<z.output<Schema>> {
  const sent = new Map(Object.entries(Object(input)));
  const validFields = new Map<string, z.ZodType>();
  for (const [name, field] of Object.entries(schema.shape))
    if (errors[name] === undefined && field instanceof z.ZodType) validFields.set(name, field);
  const parsed = z.object(Object.fromEntries(validFields)).partial().safeParse(Object.fromEntries(sent));
  return parsed.success ? (parsed.data as Partial<z.output<Schema>>) : {};
}
