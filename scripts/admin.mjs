/**
 * `npm run admin -- …`: administration by command, on the database of the environment (DATABASE_URL and
 * TILLGATE_ENCRYPTION_KEYS), else on the running sandbox's.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./bootstrap/project.mjs";

const environment = process.env;
const words = process.argv.slice(2);
const program = path.join(root, "apps/api/dist/admin/main.js");
const dataDirectory = path.resolve(root, environment.TILLGATE_DATA_DIR || ".data");

if (!environment.DATABASE_URL) {
  // The keys belong to the database, so both come from the same place.
  environment.DATABASE_URL = await kept("sandbox.json", "database_url");
  environment.TILLGATE_ENCRYPTION_KEYS = await kept("secrets.json", "encryption_keys");
}
const asksForHelp = words.length === 0 || words.some((word) => ["--help", "-h", "help"].includes(word));
if (!existsSync(program)) {
  fail("Not built yet: run npm run build.");
} else if (!environment.DATABASE_URL && !asksForHelp) {
  fail("There is no sandbox yet: run npm start, or set DATABASE_URL and TILLGATE_ENCRYPTION_KEYS.");
} else {
  await import(pathToFileURL(program).href);
}

/** A text of one of the sandbox's files; empty, like a variable that is not set, when there is none. */
async function kept(name, key) {
  const file = path.join(dataDirectory, name);
  if (!existsSync(file)) return "";
  const value = JSON.parse(await readFile(file, "utf8"))[key];
  return typeof value === "string" ? value : "";
}

function fail(message) {
  console.error(message);
  process.exitCode = 3;
}
