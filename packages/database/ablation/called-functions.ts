import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { Laboratory, TestFile } from "./trial.js";

/** Functions, by the name of the test file that calls them. */
export type CalledFunctions = ReadonlyMap<string, readonly string[]>;

const cacheSchema = z.record(z.string(), z.array(z.string()));
/** Number of files between two updates of the cache. */
const SAVED_EVERY = 20;
const CACHE = path.join(import.meta.dirname, "../../../node_modules/.cache/called-functions.json");

/** Finds the functions that each test file calls. They are cached until the file, its folder's helpers or any function changes. */
export async function findCalledFunctions(
  { files, findCalls }: Pick<Laboratory, "files" | "findCalls">,
  schema: string,
): Promise<CalledFunctions> {
  const keyOf = ({ name, text }: TestFile) =>
    createHash("sha256").update(`${name}\n${schema}\n${text}`).digest("hex");
  const cached = existsSync(CACHE) ? cacheSchema.parse(JSON.parse(readFileSync(CACHE, "utf8"))) : {};
  const known = new Map(
    files.flatMap((file) => {
      const functions = cached[keyOf(file)];
      return functions ? [[file, functions] as const] : [];
    }),
  );
  for (;;) {
    const missing = files.filter((file) => !known.has(file));
    if (missing.length === 0) break;
    console.log(`Finding the called functions. Test files left: ${missing.length}`);
    const batch = missing.slice(0, SAVED_EVERY);
    for (const { file: called, functions } of await findCalls(batch)) {
      const file = batch.find(({ specification }) => specification.moduleId === called);
      if (file) known.set(file, functions);
    }
    if (batch.every((file) => !known.has(file))) throw new Error("no test file recorded its calls");
    mkdirSync(path.dirname(CACHE), { recursive: true });
    const found = [...known].map(([file, functions]) => [keyOf(file), functions]);
    writeFileSync(CACHE, JSON.stringify({ ...cached, ...Object.fromEntries(found) }));
  }
  return new Map([...known].map(([{ name }, functions]) => [name, functions]));
}
