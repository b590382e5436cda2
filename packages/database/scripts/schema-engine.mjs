#!/usr/bin/env node
/**
 * Stands in for the `schema-engine` program that Prisma would download: it speaks the same JSON-RPC over
 * standard input and output, and runs the same engine commit as WebAssembly (@prisma/schema-engine-wasm) over
 * @prisma/adapter-pg. prisma.diff.config.ts names it in PRISMA_SCHEMA_ENGINE_BINARY, so `prisma migrate diff` needs no
 * download.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import pg from "pg";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    datamodels: { type: "string", multiple: true },
    datasource: { type: "string" },
    "enabled-preview-features": { type: "string" },
    "extension-types": { type: "string" },
  },
});

if (positionals[0] === "--version" || values.version) {
  console.log("schema-engine-cli wasm");
  process.exit(0);
}
const datasource = values.datasource ? JSON.parse(values.datasource) : {};
const url = datasource.url ?? process.env.DATABASE_URL;

if (positionals[0] === "cli") {
  process.exit(await runDatabaseCommand(positionals[1]));
}

/**
 * The two commands outside JSON-RPC. Prisma reads the result from the log on standard error, and drops its
 * first line.
 */
async function runDatabaseCommand(command) {
  process.stderr.write("\n");
  try {
    const target = new URL(url);
    const database = decodeURIComponent(target.pathname.slice(1));
    if (command === "create-database") {
      target.pathname = "/postgres";
      target.search = "";
      await withClient(String(target), (client) =>
        client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`),
      );
    } else if (command === "can-connect-to-database") {
      await withClient(url, async () => {});
    } else {
      throw new Error(`unknown cli command ${command}`);
    }
    return 0;
  } catch (error) {
    const code = { "3D000": "P1003", ECONNREFUSED: "P1001" }[error.code];
    logError(
      code === "P1003" ? "Database does not exist" : String(error.message || error),
      code ? { error_code: code } : {},
    );
    return 1;
  }
}

async function withClient(connectionString, use) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

function logError(message, extra) {
  const line = {
    timestamp: new Date().toISOString(),
    level: "ERROR",
    fields: { message, ...extra },
    target: "schema_engine::logger",
  };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

// The engine leaves the words of a panic here before it stops; without it a panic has none.
globalThis.PRISMA_WASM_PANIC_REGISTRY = {
  set_message: (message) => logError(`schema engine panicked: ${message}`, {}),
};

const require = createRequire(import.meta.url);
const glue = await import("@prisma/schema-engine-wasm/schema_engine_bg");
const wasmFile = require
  .resolve("@prisma/schema-engine-wasm")
  .replace(/schema_engine\.js$/, "schema_engine_bg.wasm");
const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(wasmFile)), {
  "./schema_engine_bg.js": glue,
});
glue.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

// PostgreSQL's internal one-byte "char" (type 18), which the catalog queries return, is unknown to adapter-pg. It
// is read as text (type 25), and told to the engine as the character that it asks for. Only this process is touched.
const internalCharType = 18;
const textType = 25;
const characterColumn = 6;
/** Positions of such columns, by the query's text. */
const internalCharColumns = new Map();
const handleRowDescription = pg.Query.prototype.handleRowDescription;
pg.Query.prototype.handleRowDescription = function (message) {
  const positions = [];
  message.fields.forEach((field, position) => {
    if (field.dataTypeID !== internalCharType) return;
    field.dataTypeID = textType;
    positions.push(position);
  });
  internalCharColumns.set(this.text, positions);
  return handleRowDescription.call(this, message);
};

function tellCharacters(adapterConnection) {
  const queryRaw = adapterConnection.queryRaw.bind(adapterConnection);
  adapterConnection.queryRaw = async (query) => {
    const result = await queryRaw(query);
    for (const position of internalCharColumns.get(query.sql) ?? []) {
      result.columnTypes[position] = characterColumn;
    }
    return result;
  };
  return adapterConnection;
}

const target = url ? new URL(url) : undefined;
const schema = target?.searchParams.get("schema") ?? undefined;
// Single fields, never connectionString: pg lets a connectionString override `database`, and the shadow
// database must not become the real one.
const connection = target
  ? {
      host: target.searchParams.get("host") ?? target.hostname,
      port: Number(target.port || 5432),
      user: decodeURIComponent(target.username || "postgres"),
      password: target.password ? decodeURIComponent(target.password) : undefined,
      database: decodeURIComponent(target.pathname.slice(1)),
      ssl: ["require", "verify-full", "verify-ca"].includes(target.searchParams.get("sslmode") ?? "")
        ? true
        : undefined,
    }
  : {};

/**
 * The adapter's executeScript splits at ";" and would cut plpgsql bodies apart. A migration goes to the server
 * as one query of the simple protocol, as the engine's own program sends it.
 */
function sendScriptsWhole(adapterConnection) {
  adapterConnection.executeScript = async (script) => {
    try {
      await adapterConnection.underlyingDriver().query(script);
    } catch (error) {
      adapterConnection.onError(error);
    }
  };
  return adapterConnection;
}

const factory = new PrismaPg(connection, { schema });
const connect = factory.connect.bind(factory);
factory.connect = async () => tellCharacters(sendScriptsWhole(await connect()));
factory.connectToShadowDb = async () => {
  const database = `prisma_migrate_shadow_db_${randomUUID()}`;
  const admin = new pg.Client(connection);
  await admin.connect();
  await admin.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
  const shadowFactory = new PrismaPg({ ...connection, database }, { schema });
  const shadow = tellCharacters(sendScriptsWhole(await shadowFactory.connect()));
  const dispose = shadow.dispose.bind(shadow);
  shadow.dispose = async () => {
    await dispose();
    await admin.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(database)} WITH (FORCE)`);
    await admin.end();
  };
  return shadow;
};
const adapter = bindMigrationAwareSqlAdapterFactory(factory);

const datamodels = (values.datamodels ?? []).map((file) => [file, readFileSync(file, "utf8")]);
let engine;
async function openEngine() {
  engine ??= await glue.SchemaEngine.new(
    { datamodels: datamodels.length > 0 ? datamodels : undefined },
    () => {},
    adapter,
  );
  return engine;
}

let printId = 1;
function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

/** Methods that have another name in the WebAssembly build. */
const methodNames = { getDatabaseVersion: "version" };

async function handle({ id, method, params }) {
  // A message without a method is Prisma's answer to a print.
  if (!method) return;
  try {
    const opened = await openEngine();
    // These two read the schema after all migrations from a cache and cannot open a shadow database of their
    // own; the diagnosis fills the cache.
    if (method === "evaluateDataLoss" || method === "createMigration") {
      await opened.diagnoseMigrationHistory({
        migrationsList: params.migrationsList,
        filters: params.filters,
        optInToShadowDatabase: true,
      });
    }
    const result = await opened[methodNames[method] ?? method](params);
    if (method === "diff" && result?.stdout) {
      const content = result.stdout.replace(/\n$/, "");
      send({ id: `print-${printId++}`, method: "print", params: { content } });
    }
    send({ id, result: result ?? {} });
  } catch (error) {
    const cause = adapter.errorRegistry?.consumeError?.(error?.id)?.error;
    const message = String(cause?.message ?? error?.message ?? error);
    const data = { is_panic: false, message, meta: null, error_code: error?.code ?? null };
    send({ id, error: { code: 4466, message, data } });
  }
}

// One request after the other, in the order of arrival.
let queue = Promise.resolve();
createInterface({ input: process.stdin })
  .on("line", (line) => {
    if (line.trim()) queue = queue.then(() => handle(JSON.parse(line)));
  })
  .on("close", () => process.exit(0));
