import { defineConfig } from "prisma/config";

// For `prisma generate`, which every build runs. Prisma would download a program that compares tables, though generating
// never runs it: any program that is there keeps it from that. What compares tables has a configuration of its own,
// prisma.diff.config.ts.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: "prisma/schema.prisma" });
