import { readFileSync } from "node:fs";
import type { z } from "zod";

/** Reads a file of `plugin/vectors`, and validates it with the schema. */
export function readVectors<T>(name: string, schema: z.ZodType<T>): T {
  const file = new URL(`../../../../vectors/${name}.json`, import.meta.url);
  return schema.parse(JSON.parse(readFileSync(file, "utf8")));
}
