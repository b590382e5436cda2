import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { root } from "../bootstrap/project.mjs";

/** A sentence for the person at the terminal; no stack trace helps with it. */
export class CommandError extends Error {}

const environment = process.env;
/** Where the running sandbox keeps its files. */
const dataDirectory = path.resolve(root, environment.TILLGATE_DATA_DIR || ".data");

/** The content of one of the sandbox's files, or null when there is no sandbox. */
export async function readSandboxFile(name) {
  const file = path.join(dataDirectory, name);
  return existsSync(file) ? JSON.parse(await readFile(file, "utf8")) : null;
}

/**
 * One of the sandbox's merchants, by name; the first when none is named.
 * @throws CommandError naming those that there are.
 */
export function merchantOf({ merchant, other_merchant: other }, name) {
  const found = [merchant, other].find((one) => name === undefined || one.name === name);
  if (found) return found;
  throw new CommandError(`The sandbox has no merchant ${name}: it has ${merchant.name} and ${other.name}.`);
}
