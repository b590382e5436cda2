import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";

const require = createRequire(import.meta.url);
const schemaFile = new URL("../prisma/schema.prisma", import.meta.url);

/** Loads Prisma's schema engine as WebAssembly from npm. The native engine would have to be downloaded. */
async function loadEngine() {
  globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: (message) => console.error(message) };
  const glue = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const wasmFile = require
    .resolve("@prisma/schema-engine-wasm")
    .replace(/schema_engine\.js$/, "schema_engine_bg.wasm");
  const module = new WebAssembly.Module(readFileSync(wasmFile));
  const { exports } = new WebAssembly.Instance(module, { "./schema_engine_bg.js": glue });
  glue.__wbg_set_wasm(exports);
  exports.__wbindgen_start();
  return glue.SchemaEngine;
}

const datamodel = (content) => ({ tag: "schemaDatamodel", files: [{ path: "schema.prisma", content }] });

/**
 * Returns the SQL that creates the tables of schema.prisma, or migrates them from an `earlier` version of the schema.
 * @param databaseUrl URL of any PostgreSQL server; the engine only reads the server's version.
 */
export async function schemaScript(databaseUrl, earlier) {
  const SchemaEngine = await loadEngine();
  const content = readFileSync(schemaFile, "utf8");
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: databaseUrl }));
  const engine = await SchemaEngine.new({ datamodels: [["schema.prisma", content]] }, () => {}, adapter);
  const { stdout } = await engine.diff({
    from: earlier === undefined ? { tag: "empty" } : datamodel(earlier),
    to: datamodel(content),
    script: true,
    exitCode: null,
    shadowDatabaseUrl: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  return stdout;
}
