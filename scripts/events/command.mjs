import { parseArgs } from "node:util";
import { z } from "zod";

/** A user-facing error, printed without a stack trace. */
export class CommandError extends Error {}

/** Finds a sandbox merchant by name; without a name, the first merchant. @throws CommandError that lists the merchants if the name is unknown. */
export function findMerchant({ merchant, other_merchant: other }, name) {
  const found = [merchant, other].find((candidate) => name === undefined || candidate.name === name);
  if (found) return found;
  throw new CommandError(`Unknown merchant: ${name}. The sandbox has ${merchant.name} and ${other.name}.`);
}

/** @throws CommandError unless the text is a whole number from `min` to `max`. */
export function parseWholeNumber(option, text, min, max) {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new CommandError(
    `${option} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}.`,
  );
}

/** @param text RFC 3339, such as 2026-11-20T00:00:00Z, or undefined. @returns the text unchanged. @throws CommandError for any other text. */
export function parseTime(option, text) {
  if (text === undefined || z.iso.datetime({ offset: true }).safeParse(text).success) return text;
  throw new CommandError(
    `${option} must be a time such as 2026-11-20T00:00:00Z, not ${JSON.stringify(text)}.`,
  );
}

/**
 * Parses a command's arguments. @param options in addition to `--help` @throws CommandError for an unknown option, or for a missing or unexpected
 * value.
 */
export function parseArguments(commandLine, options) {
  try {
    return parseArgs({
      args: commandLine,
      allowPositionals: true,
      options: { ...options, help: { type: "boolean", short: "h" } },
    });
  } catch (error) {
    throw new CommandError(`${error.message} (see --help for usage)`);
  }
}
