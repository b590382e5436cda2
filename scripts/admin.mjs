/**
 * `npm run admin -- …`: administration by command, with the settings of the environment (DATABASE_URL,
 * TILLGATE_ENCRYPTION_KEYS …), else with those of the running sandbox's api, where the passwords of its own administrators
 * are known.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./bootstrap/project.mjs";
import { readSandboxFile } from "./bootstrap/sandbox-file.mjs";

const environment = process.env;
const words = process.argv.slice(2);
const program = path.join(root, "apps/api/dist/cli/main.js");

if (!environment.DATABASE_URL) {
  // The keys belong to the database, so both come from the same place.
  const settings = await settingsOfRunningSystem();
  for (const [name, value] of Object.entries(settings)) environment[name] ||= value;
  // Who may read the sandbox's file is its administrator.
  environment.TILLGATE_ADMIN_PASSWORD ||= await sandboxPassword(words[words.indexOf("--by") + 1]);
}
const asksForHelp = words.length === 0 || words.some((word) => ["--help", "-h", "help"].includes(word));
if (!existsSync(program)) {
  fail("Not built yet: run npm run build.");
} else if (!environment.DATABASE_URL && !asksForHelp) {
  fail("No sandbox yet. Run npm start, or set DATABASE_URL and TILLGATE_ENCRYPTION_KEYS.");
} else {
  await import(pathToFileURL(program).href);
}

/** What `npm start` runs its api with, so that a command allows and refuses what the api does; empty when there is no sandbox. */
async function settingsOfRunningSystem() {
  return (await readSandboxFile("api-settings.json")) ?? {};
}

/** The password of one of the sandbox's own administrators; empty for anybody else. */
async function sandboxPassword(email) {
  const { administrator, second_administrator } = (await readSandboxFile("sandbox.json")) ?? {};
  return [administrator, second_administrator].find((one) => one && one.email === email)?.password ?? "";
}

function fail(message) {
  console.error(message);
  process.exitCode = 3;
}
