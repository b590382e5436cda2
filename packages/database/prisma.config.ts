import { defineConfig } from "prisma/config";

// For `prisma generate`, which every build runs. Prisma would download its schema engine although generating
// never runs it; any existing program prevents that. scripts/schema-script.mjs compares tables instead.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: "prisma/schema.prisma" });
