import { AmountError, parseAmount, readingsOfAmount } from "@tillgate/money";
import type { Context } from "../context.js";

/** A currency beside the number has at most ten letters; what is longer is a text. */
const MAX_CURRENCY = 10;
const DIGIT = /\p{Nd}/u;

/**
 * The amounts that a typed text may mean, as the index of words has them (`EUR4150`): in the currency whose code or symbol stands in front
 * of the number or behind it, else in every currency. A sign is left out: a statement shows one.
 */
export async function amountsOf({ database: { prisma } }: Context, text: string): Promise<string[]> {
  const { number, beside } = splitAmount(text);
  if (beside.length > MAX_CURRENCY) return [];
  const readings = readingsOfAmount(number);
  if (readings.length === 0) return [];
  const currencies = await prisma.currency.findMany({ select: { code: true, digits: true, symbol: true } });
  return currencies
    .filter(({ code, symbol }) => ["", code, symbol.toUpperCase()].includes(beside))
    .flatMap(({ code, digits }) => readings.flatMap((reading) => lexemeOf(reading, code, digits)));
}

/** The number from its first digit to its last, and the rest without signs and blanks, in capitals. */
function splitAmount(text: string): { number: string; beside: string } {
  const letters = [...text];
  const first = letters.findIndex((letter) => DIGIT.test(letter));
  const last = letters.findLastIndex((letter) => DIGIT.test(letter));
  if (first < 0) return { number: "", beside: "" };
  const beside = [...letters.slice(0, first), ...letters.slice(last + 1)].join("");
  return {
    number: letters.slice(first, last + 1).join(""),
    beside: beside.replace(/[\s+\-\u2212]/g, "").toUpperCase(),
  };
}

/** An amount that the currency cannot hold is none. */
function lexemeOf(reading: string, code: string, digits: number): string[] {
  try {
    return [`${code}${parseAmount(reading, digits)}`];
  } catch (error) {
    if (error instanceof AmountError) return [];
    throw error;
  }
}
