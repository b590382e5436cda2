import { readFile, stat } from "node:fs/promises";
import { parseEnv } from "node:util";
import { StackError } from "../stack-error.js";

const OTHERS = 0o077;

/**
 * Reads the one file of settings: lines of `NAME=value`, as for `node --env-file`.
 * @throws StackError when it cannot be read, or when others than its owner may read it: it holds passwords.
 */
export async function readSettingsFile(file: string): Promise<NodeJS.ProcessEnv> {
  let text: string;
  try {
    const { mode } = await stat(file);
    if ((mode & OTHERS) !== 0)
      throw new StackError(`${file} may be read by others, and it holds secrets. Run: chmod 600 ${file}`);
    text = await readFile(file, "utf8");
  } catch (cause) {
    if (cause instanceof StackError) throw cause;
    throw new StackError(`${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
  return parseEnv(text);
}
