/**
 * Compares what the migrations make with schema.prisma, on a PostgreSQL of its own. Exit code 0: no difference.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { installedProgram, root } from "../bootstrap/project.mjs";

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

/** Prisma has been seen to end with 0 when its engine broke down, so its words count, not its exit code. */
async function compare(databaseUrl) {
  const child = spawn(
    installedProgram("prisma"),
    ["migrate", "diff", "--from-migrations", "prisma/migrations", "--to-schema", "prisma/schema.prisma"],
    { cwd: room, env: { ...process.env, DATABASE_URL: databaseUrl }, stdio: ["ignore", "pipe", "inherit"] },
  );
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
    process.stdout.write(chunk);
  });
  await once(child, "close");
  if (output.includes("No difference detected")) return 0;
  console.error(
    "The migrations do not make what schema.prisma says: write a migration for what stands above.",
  );
  return 1;
}
