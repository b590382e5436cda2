/**
 * Makes two comparisons on a temporary PostgreSQL: the schema that the migrations create with schema.prisma, and the schema that migrations and
 * definitions create with a running database (DATABASE_URL, or the sandbox's if there is one). The exit code is 0 if there is no difference.
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
const packageFolder = path.join(root, "packages/database");
const importBuilt = (file) => import(pathToFileURL(path.join(packageFolder, "dist", file)).href);
const { startEmbeddedServer } = await importBuilt("embedded/server.js");
const { compareCatalogues, readCatalogue } = await importBuilt("catalogue.js");
const { migrateDatabase } = await importBuilt("schema.js");

/** Objects that schema.prisma cannot express: composite types, expression indexes and their function, generated columns with their keys. */
const IN_MIGRATIONS_ONLY = [
  "column idempotency_keys.order_id",
  "column idempotency_keys.payout_id",
  "column idempotency_keys.refund_id",
  "constraint idempotency_keys.idempotency_keys_order_id_merchant_id_mode_fkey",
  "constraint idempotency_keys.idempotency_keys_payout_id_merchant_id_mode_fkey",
  "constraint idempotency_keys.idempotency_keys_refund_id_merchant_id_mode_fkey",
  "type booked_line",
  "type pin_counter",
  "type transfer_line",
  "function search_words(uuid,mode,text[],text[])",
  "index orders_by_request",
  "index orders_by_word",
  "index payouts_by_word",
  "index refunds_by_word",
  "index wallet_users_by_word",
];
/** Deferred constraints and unlogged tables: [in the migrations, in schema.prisma]. */
const DEFINED_DIFFERENTLY = {
  "constraint payouts.payouts_hold_transfer_id_mode_fkey": [" DEFERRABLE INITIALLY DEFERRED", ""],
  "table rate_limits": ["unlogged", "logged"],
};

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
 * Returns the part of a catalogue that schema.prisma can express, and a message for each exception that no longer exists. Only `compareRunning`
 * compares IN_MIGRATIONS_ONLY, DEFINED_DIFFERENTLY and partial indexes.
 */
function toPrismaCatalogue(catalogue) {
  const exceptions = new Set(IN_MIGRATIONS_ONLY);
  const expressible = new Map();
  for (const [object, definition] of catalogue) {
    if (exceptions.delete(object) || (object.startsWith("index ") && / WHERE /.test(definition))) continue;
    const [from, to] = DEFINED_DIFFERENTLY[object] ?? ["", ""];
    expressible.set(object, definition.replace(from, to));
  }
  return {
    expressible,
    gone: [...exceptions].map((object) => `${object} is listed as an exception but does not exist`),
  };
}

/** Compares a database created from schema.prisma with one created by the migrations. */
async function compareWithPrisma(serverUrl) {
  const create = async (name) => {
    await query(serverUrl, `CREATE DATABASE ${name}`);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    return url.href;
  };
  const expected = await create("by_schema");
  await query(expected, await schemaScript(expected));
  const migrated = await create("by_migrations");
  await migrate(migrated, path.join(packageFolder, "sql/migrations"));
  const { expressible, gone } = toPrismaCatalogue(await readCatalogue(migrated));
  const differences = [...gone, ...compareCatalogues(await readCatalogue(expected), expressible)];
  if (differences.length === 0) {
    console.log("The migrations match schema.prisma.");
    return true;
  }
  console.error("The migrations do not match schema.prisma. Write a migration for these differences:");
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
    // A stopped sandbox is skipped; an explicit DATABASE_URL must be reachable.
    if (error?.code !== "ECONNREFUSED" || environment.DATABASE_URL) throw error;
    console.log(`The sandbox's database at ${host} is not running; only files were compared.`);
    return true;
  }
  await query(emptyDatabaseUrl, `CREATE ROLE ${pg.escapeIdentifier(worker)}`);
  await migrateDatabase(emptyDatabaseUrl, worker);
  const differences = compareCatalogues(await readCatalogue(emptyDatabaseUrl), found);
  if (differences.length === 0) {
    console.log(`${host}${pathname} matches the migrations and definitions.`);
    return true;
  }
  console.error(`${host}${pathname} does not match the migrations and definitions:`);
  for (const difference of differences) console.error(`  ${difference}`);
  return false;
}

/** Returns the API's role in a running database, to compare the role's grants. The URL may be the API's or the owner's. */
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
