import { parseArgs } from "node:util";

/** A sentence for the person at the terminal; no stack trace helps with it. */
export class CommandError extends Error {}

/**
 * One of the sandbox's merchants, by name; the first when none is named.
 * @throws CommandError naming those that there are.
 */
export function merchantOf({ merchant, other_merchant: other }, name) {
  const found = [merchant, other].find((one) => name === undefined || one.name === name);
  if (found) return found;
  throw new CommandError(`The sandbox has no merchant ${name}: it has ${merchant.name} and ${other.name}.`);
}

/**
 * Reads the words behind a command.
 * @param {import("node:util").ParseArgsConfig["options"]} options what they may be, beside `--help`.
 * @throws CommandError for a word that is none of them.
 */
export function parseWords(words, options) {
  try {
    return parseArgs({
      args: words,
      allowPositionals: true,
      options: { ...options, help: { type: "boolean", short: "h" } },
    });
  } catch (error) {
    throw new CommandError(`${error.message} (see --help for usage)`);
  }
}
