/**
 * `npm run admin -- …`: runs an administration command on the database in DATABASE_URL or, without it, in the sandbox. In the sandbox, the
 * administrator's password is read from the sandbox's files.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./bootstrap/project.mjs";
import { readSandboxFile } from "./bootstrap/sandbox-file.mjs";

const environment = process.env;
const args = process.argv.slice(2);
const program = path.join(root, "apps/api/dist/cli/main.js");

if (!environment.DATABASE_URL) {
  // The encryption keys belong to the database, so its URL and the keys must come from the same place.
  const settings = await readRunningSettings();
  for (const [name, value] of Object.entries(settings)) environment[name] ||= value;
  // Anyone who can read the sandbox's files may act as its administrator.
  environment.TILLGATE_ADMIN_PASSWORD ||= await sandboxPassword(args[args.indexOf("--by") + 1]);
}
const asksForHelp = args.length === 0 || args.some((argument) => ["--help", "-h", "help"].includes(argument));
if (!existsSync(program)) {
  fail("Tillgate is not built yet. Run npm run build.");
} else if (!environment.DATABASE_URL && !asksForHelp) {
  fail("No sandbox found. Run npm start, or set DATABASE_URL and TILLGATE_ENCRYPTION_KEYS.");
} else {
  await import(pathToFileURL(program).href);
}

/** Reads the settings of the sandbox's API, so that a command applies the same rules; empty without a sandbox. */
async function readRunningSettings() {
  return (await readSandboxFile("api-settings.json")) ?? {};
}

/** Returns the password of one of the sandbox's administrators; an empty string for any other user. */
async function sandboxPassword(email) {
  const { administrator, second_administrator } = (await readSandboxFile("sandbox.json")) ?? {};
  return [administrator, second_administrator].find((user) => user?.email === email)?.password ?? "";
}

function fail(message) {
  console.error(message);
  process.exitCode = 3;
}
