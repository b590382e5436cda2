/**
 * Two comparisons, on a PostgreSQL of its own: what the numbered migrations make with schema.prisma; and what migrations and
 * definitions make with a running database: DATABASE_URL's, else that of the sandbox, when there is one. Exit code 0: no
 * difference.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { migrate } from "@tillgate/migrate";
import pg from "pg";
import { schemaScript } from "../../packages/database/scripts/schema-script.mjs";
import { root } from "../bootstrap/project.mjs";
import { readSandboxFile } from "../bootstrap/sandbox-file.mjs";

const environment = process.env;
const room = path.join(root, "packages/database");
const built = (file) => import(pathToFileURL(path.join(room, "dist", file)).href);
const { startEmbeddedServer } = await built("embedded/server.js");
const { compareCatalogues, readCatalogue } = await built("catalogue.js");
const { migrateDatabase } = await built("schema.js");

const folder = await mkdtemp(path.join(tmpdir(), "tillgate-drift-"));
try {
  const server = await startEmbeddedServer({ dataDirectory: path.join(folder, "postgres"), fsync: false });
  try {
    const outcomes = [await compareWithPrisma(server.url), await compareRunning(server.url)];
    process.exitCode = outcomes.every(Boolean) ? 0 : 1;
  } finally {
    await server.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/**
 * What Prisma's language has no words for is left out: types of rows, indexes of a part of a table or of an expression, the function of
 * such an index, keys that wait for the commit, tables without a log.
 */
function inPrismasWords(catalogue) {
  return new Map(
    [...catalogue]
      .filter(
        ([object, definition]) => !(object.startsWith("index ") && / WHERE | USING gin /.test(definition)),
      )
      .filter(([object]) => !object.startsWith("function "))
      .filter(([object, definition]) => !object.startsWith("type ") || definition.startsWith("'"))
      .map(([object, definition]) => [
        object,
        definition.replace(" DEFERRABLE INITIALLY DEFERRED", "").replace(/^unlogged/, "logged"),
      ]),
  );
}

/** Two databases, one made by schema.prisma and one by the migrations. */
async function compareWithPrisma(serverUrl) {
  const make = async (name) => {
    await query(serverUrl, `CREATE DATABASE ${name}`);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    return url.href;
  };
  const wanted = await make("by_schema");
  await query(wanted, await schemaScript(wanted));
  const made = await make("by_migrations");
  await migrate(made, path.join(room, "sql/migrations"));
  const differences = compareCatalogues(
    inPrismasWords(await readCatalogue(wanted)),
    inPrismasWords(await readCatalogue(made)),
  );
  if (differences.length === 0) {
    console.log("The migrations make what schema.prisma says.");
    return true;
  }
  console.error("The migrations do not make what schema.prisma says: write a migration for this.");
  for (const difference of differences) console.error(`  ${difference}`);
  return false;
}

async function compareRunning(emptyDatabaseUrl) {
  const running = environment.DATABASE_URL || (await readSandboxFile("sandbox.json"))?.database_url;
  if (running === undefined) return true;
  const { host, pathname } = new URL(running);
  let found;
  let worker;
  try {
    found = await readCatalogue(running);
    worker = await readWorker(running);
  } catch (error) {
    // A sandbox that does not run is nothing to compare; an address that somebody named is.
    if (error?.code !== "ECONNREFUSED" || environment.DATABASE_URL) throw error;
    console.log(`The sandbox's database at ${host} does not run: only files were compared.`);
    return true;
  }
  await query(emptyDatabaseUrl, `CREATE ROLE ${pg.escapeIdentifier(worker)}`);
  await migrateDatabase(emptyDatabaseUrl, worker);
  const differences = compareCatalogues(await readCatalogue(emptyDatabaseUrl), found);
  if (differences.length === 0) {
    console.log(`${host}${pathname} is what the files make.`);
    return true;
  }
  console.error(`${host}${pathname} is not what the files make:`);
  for (const difference of differences) console.error(`  ${difference}`);
  return false;
}

/** The role that the api works as there, which the address may be of; the grants to it are compared. */
async function readWorker(databaseUrl) {
  const { rows } = await query(
    databaseUrl,
    `SELECT CASE WHEN pg_has_role(current_user, relowner, 'USAGE') THEN 'tillgate_api' ELSE current_user END AS role
     FROM pg_class WHERE oid = 'orders'::regclass`,
  );
  return rows[0].role;
}

async function query(databaseUrl, text) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}
