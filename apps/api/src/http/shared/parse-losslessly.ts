import { NumberText, Refusal } from "@tillgate/contract";
import { isSafeNumber, parse } from "lossless-json";
import { OperationError } from "../../operation-error.js";

/** A binary float keeps every number of up to 15 digits; this many characters in a row may hold more. */
const LONG_NUMBER = /[\d.]{16}/;

/** Whether a JSON text may hold a number that `JSON.parse` would alter. Most bodies do not, and are read once. */
export const losesDigits = (text: string): boolean => LONG_NUMBER.test(text);

/**
 * Reads JSON that `JSON.parse` has found well-formed. A number that a float would alter becomes a {@link NumberText}. Of a
 * repeated key the last one counts, as in `JSON.parse`.
 * @throws OperationError MalformedJson for JSON that is nested too deep to be read this way.
 */
export function parseLosslessly(text: string): unknown {
  try {
    return parse(text, undefined, {
      parseNumber: (digits) => (isSafeNumber(digits) ? Number(digits) : new NumberText(digits)),
      onDuplicateKey: ({ newValue }) => newValue,
    });
  } catch (error) {
    if (error instanceof RangeError) throw new OperationError(Refusal.MalformedJson);
    throw error;
  }
}
