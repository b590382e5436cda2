import { defineConfig } from "prisma/config";

// For `prisma generate`, which every build runs. Prisma would download a program that compares tables, though generating
// never runs it: any program that is there keeps it from that. Tables are compared by scripts/schema-script.mjs.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: "prisma/schema.prisma" });
