import { parseArgs } from "node:util";

/** A user-facing error, printed without a stack trace. */
export class CommandError extends Error {}

/**
 * Finds a sandbox merchant by name. Default: the first.
 * @throws CommandError naming the existing ones.
 */
export function findMerchant({ merchant, other_merchant: other }, name) {
  const found = [merchant, other].find((candidate) => name === undefined || candidate.name === name);
  if (found) return found;
  throw new CommandError(
    `The sandbox has no merchant ${name}. Its merchants are ${merchant.name} and ${other.name}.`,
  );
}

/**
 * Parses a command's arguments.
 * @param {import("node:util").ParseArgsConfig["options"]} options in addition to `--help`
 * @throws CommandError for an unknown option.
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
