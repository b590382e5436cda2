/**
 * `npm run migrate`: migrates the API's database, for separately run services. DATABASE_OWNER_URL connects as the role that owns the tables, without
 * a pooler; DATABASE_URL names the API's role.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describeDatabaseError } from "./bootstrap/database-error.mjs";
import { root } from "./bootstrap/project.mjs";

const { DATABASE_OWNER_URL: owner, DATABASE_URL: api } = process.env;
const program = path.join(root, "packages/database/dist/schema.js");
if (!owner || !api) {
  fail("Set DATABASE_OWNER_URL (as the role that owns the tables) and DATABASE_URL (as the API's role).");
} else if (!URL.canParse(owner) || !URL.canParse(api)) {
  fail("DATABASE_OWNER_URL and DATABASE_URL must be postgresql:// URLs.");
} else if (getRole(owner) === getRole(api)) {
  fail(
    "DATABASE_URL and DATABASE_OWNER_URL must name different roles: the API's role must not own the tables.",
  );
} else if (!existsSync(program)) {
  fail("Tillgate is not built yet. Run npm run build.");
} else {
  await migrate();
}

async function migrate() {
  const { migrateDatabase } = await import(pathToFileURL(program).href);
  try {
    const applied = await migrateDatabase(owner, getRole(api));
    console.log(
      applied.length === 0 ? "The database is up to date." : `Migrations applied: ${applied.length}.`,
    );
  } catch (error) {
    fail(error?.name === "MigrationError" ? error.message : describeDatabaseError(error, owner));
  }
}

function getRole(url) {
  return decodeURIComponent(new URL(url).username);
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
