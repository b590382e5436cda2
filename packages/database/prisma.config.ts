import path from "node:path";
import { defineConfig } from "prisma/config";

// No download: the engine is WebAssembly from npm. A real engine named in the environment still wins.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.join(import.meta.dirname, "scripts/schema-engine.mjs");

const url = process.env.DATABASE_URL;

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  // `generate` needs no database, the `migrate` commands say so themselves when the address is missing.
  ...(url ? { datasource: { url } } : {}),
});
