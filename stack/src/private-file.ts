import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { StackError } from "./stack-error.js";

/** @returns a code such as "ENOENT"; undefined if the value is not an error with a code. */
export function getSystemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Writes a JSON file that only its owner can read (0600). Even after a power failure, a reader sees either the old or the new content. */
export async function writePrivateJson(file: string, value: unknown): Promise<void> {
  const temporary = `${file}.${randomUUID()}`;
  try {
    await createDurably(temporary, value);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Creates a private file (0600), and resolves after its content is flushed to disk. @throws the system's error if the file exists. */
export async function createDurably(file: string, value: unknown): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(value, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** @returns undefined if the file does not exist. @throws StackError if the file does not contain a JSON object. */
export async function readJsonObject(file: string): Promise<Record<string, unknown> | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(getSystemErrorCode(error) ?? "")) return undefined;
    throw error;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new StackError(`${file} is not valid JSON; repair it or move it out of the way.`, { cause });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new StackError(`${file} is not a JSON object; repair it or move it out of the way.`);
  }
  return { ...value };
}

/** Reads content that can be recreated. @returns undefined if the file is missing or damaged. */
export async function readReplaceable(file: string): Promise<Record<string, unknown> | undefined> {
  try {
    return await readJsonObject(file);
  } catch (error) {
    if (error instanceof StackError) return undefined;
    throw error;
  }
}
