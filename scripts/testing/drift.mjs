/**
 * Compares what the migrations make with schema.prisma, on a PostgreSQL of its own. Exit code 0: no difference.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { installedProgram, root } from "../bootstrap/project.mjs";
import { runProgram } from "../bootstrap/run-program.mjs";

const room = path.join(root, "packages/database");
const { startEmbeddedServer } = await import(pathToFileURL(path.join(room, "dist/embedded/server.js")).href);
const folder = await mkdtemp(path.join(tmpdir(), "tillgate-drift-"));
try {
  const server = await startEmbeddedServer({ dataDirectory: path.join(folder, "postgres"), fsync: false });
  try {
    process.exitCode = await compare(server.url);
  } finally {
    await server.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function compare(databaseUrl) {
  const code = await runProgram(
    installedProgram("prisma"),
    [
      "migrate",
      "diff",
      "--from-migrations",
      "prisma/migrations",
      "--to-schema",
      "prisma/schema.prisma",
      "--exit-code",
    ],
    { cwd: room, env: { ...process.env, DATABASE_URL: databaseUrl } },
  );
  if (code === 2)
    console.error("schema.prisma and the migrations differ: write a migration for what stands above.");
  return code;
}
