import { readFile, stat } from "node:fs/promises";
import { parseEnv } from "node:util";
import { StackError } from "../stack-error.js";

const GROUP_AND_OTHERS = 0o077;

/**
 * Reads a settings file: lines of `NAME=value`, as for `node --env-file`.
 * @throws StackError when it cannot be read, or when anyone but its owner can read it: it holds passwords.
 */
export async function readSettingsFile(file: string): Promise<NodeJS.ProcessEnv> {
  let text: string;
  try {
    const { mode } = await stat(file);
    if ((mode & GROUP_AND_OTHERS) !== 0)
      throw new StackError(`${file} holds secrets but other users can read it. Run: chmod 600 ${file}`);
    text = await readFile(file, "utf8");
  } catch (cause) {
    if (cause instanceof StackError) throw cause;
    throw new StackError(`${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
  return parseEnv(text);
}
