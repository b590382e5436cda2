import { readFile, stat } from "node:fs/promises";
import { parseEnv } from "node:util";
import { StackError } from "../stack-error.js";

const GROUP_AND_OTHERS = 0o077;

/**
 * Reads a file of `NAME=value` lines, in the format of `node --env-file`.
 * @throws StackError if the file cannot be read or, because it contains passwords, if anyone but its owner has access to it.
 */
export async function readSettingsFile(file: string): Promise<NodeJS.ProcessEnv> {
  let text: string;
  try {
    const found = await stat(file);
    if (!found.isFile()) throw new StackError(`${file} is not a file.`);
    if ((found.mode & GROUP_AND_OTHERS) !== 0)
      throw new StackError(
        `${file} contains secrets, but other users have access to it. Run: chmod 600 ${file}`,
      );
    text = await readFile(file, "utf8");
  } catch (cause) {
    if (cause instanceof StackError) throw cause;
    throw new StackError(`${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
  return parseEnv(text);
}

/** Finds lines that `parseEnv` would ignore, repeated names, and an unclosed quotation mark. @returns one message per mistake. */
export function findLineMistakes(text: string): string[] {
  const mistakes: string[] = [];
  const names = new Set<string>();
  let openQuote: string | undefined;
  for (const [at, line] of text.split("\n").entries()) {
    if (openQuote !== undefined) {
      if (line.includes(openQuote)) openQuote = undefined;
      continue;
    }
    const trimmed = line.trim().replace(/^export /, "");
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    const equals = trimmed.indexOf("=");
    const name = trimmed.slice(0, Math.max(0, equals)).trim();
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      mistakes.push(`Line ${at + 1}: is not NAME=value`);
      continue;
    }
    if (names.has(name)) mistakes.push(`${name}: is set twice`);
    names.add(name);
    const value = trimmed.slice(equals + 1).trim();
    const [quote = ""] = value;
    if (`"'\``.includes(quote) && quote !== "" && !value.slice(1).includes(quote)) openQuote = quote;
  }
  if (openQuote !== undefined) mistakes.push(`A quotation mark ${openQuote} is not closed`);
  return [...new Set(mistakes)];
}
