import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { root } from "./project.mjs";

const environment = process.env;
const dataDirectory = path.resolve(root, environment.TILLGATE_DATA_DIR || ".data");

/** Returns the content of one of the sandbox's JSON files; null if the file does not exist. */
export async function readSandboxFile(name) {
  const file = path.join(dataDirectory, name);
  return existsSync(file) ? JSON.parse(await readFile(file, "utf8")) : null;
}
