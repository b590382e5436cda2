/**
 * `npm run migrate`: brings the api's database up to date, for who runs its programs one by one. DATABASE_OWNER_URL is the role
 * that owns the tables, past any pooler; DATABASE_URL names the role that the api works as.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./bootstrap/project.mjs";

const { DATABASE_OWNER_URL: owner, DATABASE_URL: worker } = process.env;
const program = path.join(root, "packages/database/dist/schema.js");
if (!owner || !worker) {
  fail(
    "Set DATABASE_OWNER_URL (the role that owns the tables) and DATABASE_URL (the role that the api works as).",
  );
} else if (!URL.canParse(owner) || !URL.canParse(worker)) {
  fail("DATABASE_OWNER_URL and DATABASE_URL are postgresql:// addresses.");
} else if (roleIn(owner) === roleIn(worker)) {
  fail("DATABASE_URL must name another role than DATABASE_OWNER_URL: the api owns no table.");
} else if (!existsSync(program)) {
  fail("Not built yet: run npm run build.");
} else {
  await migrate();
}

async function migrate() {
  const { migrateDatabase } = await import(pathToFileURL(program).href);
  try {
    const applied = await migrateDatabase(owner, roleIn(worker));
    console.log(applied.length === 0 ? "The database is up to date." : `Applied ${applied.length} changes.`);
  } catch (error) {
    if (error?.name !== "MigrationError") throw error;
    fail(error.message);
  }
}

/** @param {string} url */
function roleIn(url) {
  return decodeURIComponent(new URL(url).username);
}

/** @param {string} message */
function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
