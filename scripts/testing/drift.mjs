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

/** Rows as arguments of SQL functions, indexes of an expression, the function of such an index, and generated columns with their keys. */
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
/** Keys that wait for the commit, and a table without a log: what the migrations say, and what schema.prisma does. */
const SAID_OTHERWISE = {
  "constraint payouts.payouts_hold_transfer_id_mode_fkey": [" DEFERRABLE INITIALLY DEFERRED", ""],
  "constraint payouts.payouts_transfer_id_mode_fkey": [" DEFERRABLE INITIALLY DEFERRED", ""],
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
 * The migrations' objects, as schema.prisma can say them. Prisma's language has no words for what IN_MIGRATIONS_ONLY and
 * SAID_OTHERWISE name, and none for an index of a part of a table (WHERE): those are compared with a running database only.
 */
function inPrismasWords(catalogue) {
  const unsaid = new Set(IN_MIGRATIONS_ONLY);
  const said = new Map();
  for (const [object, definition] of catalogue) {
    if (unsaid.delete(object) || (object.startsWith("index ") && / WHERE /.test(definition))) continue;
    const [from, to] = SAID_OTHERWISE[object] ?? ["", ""];
    said.set(object, definition.replace(from, to));
  }
  return { said, gone: [...unsaid].map((object) => `${object} is named as an exception and is not there`) };
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
  const { said, gone } = inPrismasWords(await readCatalogue(made));
  const differences = [...gone, ...compareCatalogues(await readCatalogue(wanted), said)];
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
