import path from "node:path";
import { defineConfig } from "prisma/config";

// For `prisma migrate diff`, by whoever changes a table and by `npm test -- drift`; nothing that runs the product comes here.
// No download: the engine is WebAssembly from npm. A real engine named in the environment still wins.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.join(import.meta.dirname, "scripts/schema-engine.mjs");

const url = process.env.DATABASE_URL;
if (!url) throw new Error("Set DATABASE_URL to any PostgreSQL whose role may create databases.");

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "sql/migrations" },
  datasource: { url },
});
