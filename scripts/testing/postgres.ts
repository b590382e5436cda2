import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { startEmbeddedServer } from "../../packages/database/src/embedded/server.js";
import { ensureDatabase, migrate } from "../../packages/migrate/src/index.js";

const template = "tillgate_template";
const migrations = path.resolve(import.meta.dirname, "../../packages/database/prisma/migrations");

/**
 * Vitest's global set-up of the integration tests: one PostgreSQL of their own for the run, on a free port, in a
 * temporary folder. Tests find it in two variables:
 *
 * - `TILLGATE_TEST_POSTGRES_URL`: superuser address; each test file makes a database of its own there;
 * - `TILLGATE_TEST_TEMPLATE`: a database with all migrations of the api applied, for
 *   `CREATE DATABASE … TEMPLATE …`. Not set while there are no migrations.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "tillgate-test-"));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const server = await startEmbeddedServer({
      dataDirectory: path.join(folder, "postgres"),
      fsync: false,
      maxConnections: 300,
    });
    try {
      process.env.TILLGATE_TEST_POSTGRES_URL = server.url;
      if (existsSync(migrations)) {
        await makeTemplate(server.url);
        process.env.TILLGATE_TEST_TEMPLATE = template;
      }
    } catch (error) {
      await server.stop();
      throw error;
    }
    return async () => {
      await server.stop();
      await removeFolder();
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

/** Migrates as the role that migrates in real life, which is no superuser. */
async function makeTemplate(adminUrl: string): Promise<void> {
  const { url } = await ensureDatabase({
    adminUrl,
    database: template,
    role: "tillgate",
    password: randomBytes(24).toString("base64url"),
  });
  await migrate(url, migrations);
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(`ALTER DATABASE ${template} WITH IS_TEMPLATE true`);
  } finally {
    await client.end();
  }
}
