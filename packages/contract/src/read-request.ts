import { z } from "zod";
import { type FieldErrors, fieldError, fieldErrors } from "./envelope.js";
import { misspeltRule } from "./errors/field-errors.js";

/** How many letters a misspelt name may be off; names of four letters or fewer may be off by one. */
const MOST_LETTERS = 2;
const SHORT_NAME = 4;
/** Longer than any misspelt name. */
const LONGEST_NAME = 100;
/** The most unknown fields that are compared: more are no typing mistake, and comparing them all would take seconds. */
const MOST_UNKNOWN = 100;

/** A name without spelling variants: `callbackUrl`, `callback-url` and `CALLBACK_URL` are the same. */
const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/**
 * How many letters differ between two words: inserted, left out, changed, or two neighbours exchanged (optimal string
 * alignment).
 * @returns at most `limit` + 1, which stands for any larger number.
 */
export function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return limit + 1;
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? limit + 1;
  for (let row = 1; row <= from.length; row += 1) {
    const costs = [row];
    rows.push(costs);
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const exchanged = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      costs.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (same ? 0 : 1),
          exchanged ? at(row - 2, column - 2) + 1 : limit + 1,
        ),
      );
    }
  }
  return Math.min(at(from.length, to.length), limit + 1);
}

function looksLike(given: string, known: string): boolean {
  const allowed = known.length <= SHORT_NAME ? 1 : MOST_LETTERS;
  return editDistance(bare(given), bare(known), allowed) <= allowed;
}

const isLeftOut = (value: unknown): boolean => value === undefined || value === null || value === "";

/**
 * Unknown fields are ignored, unless one looks like a known field that is missing: `amout: 1` must not refund everything.
 * This is the one place of the rule, for every request and every filter.
 * @param known the names of the fields that are read.
 * @returns a sentence per misspelt field, which names both.
 */
export function misspeltFields(known: readonly string[], input: unknown): FieldErrors {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return {};
  const sent = new Map(Object.entries(input));
  const missing = known.filter((name) => isLeftOut(sent.get(name)));
  const fields: FieldErrors = {};
  const names = new Set(known);
  const unknown = [...sent.keys()].filter((name) => !names.has(name) && name.length <= LONGEST_NAME);
  for (const given of unknown.slice(0, MOST_UNKNOWN)) {
    const meant = missing.find((name) => looksLike(given, name));
    if (meant !== undefined) fields[given] = [fieldError(given, misspeltRule(meant).text)];
  }
  return fields;
}

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
