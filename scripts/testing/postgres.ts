import { randomBytes } from "node:crypto";
import path from "node:path";
import pg from "pg";
import { startEmbeddedServer } from "../../packages/database/src/embedded/server.js";
import { migrateDatabase } from "../../packages/database/src/schema.js";
import { parseKeyring } from "../../packages/database/src/secrets.js";
import { seedSandbox } from "../../packages/database/src/seed/sandbox.js";
import { ensureDatabase, ensureWorker } from "../../packages/migrate/src/index.js";
import { withFolder } from "./with-folder.js";

const template = "tillgate_template";
/** The role that the api works as, in every database made from a template. */
const worker = "tillgate_api";
const seededTemplate = "tillgate_seeded_template";

/**
 * Vitest's global set-up of the integration tests: one PostgreSQL of their own for the run, on a free port, in a
 * temporary folder. Tests find it in three variables:
 *
 * - `TILLGATE_TEST_POSTGRES_URL`: superuser address; each test file makes a database of its own there;
 * - `TILLGATE_TEST_TEMPLATE`: a database with the api's tables and functions, for `CREATE DATABASE … TEMPLATE …`;
 * - `TILLGATE_TEST_SEED`: JSON of a second one with the sandbox in it: `template`, the encryption `keys` and the `access` that
 *   the seed made. It is seeded once a run: its slow hashes would cost more than most tests.
 */
export default function setUp(): Promise<() => Promise<void>> {
  return withFolder(async (folder) => {
    const server = await startEmbeddedServer({
      dataDirectory: path.join(folder, "postgres"),
      fsync: false,
      maxConnections: 300,
    });
    try {
      process.env.TILLGATE_TEST_POSTGRES_URL = server.url;
      await makeTemplate(server.url);
      process.env.TILLGATE_TEST_TEMPLATE = template;
      process.env.TILLGATE_TEST_SEED = JSON.stringify(await makeSeededTemplate(server.url));
    } catch (error) {
      await server.stop();
      throw error;
    }
    return () => server.stop();
  });
}

/** Migrates as the role that migrates in real life, which is no superuser, and lets the one work that works in real life. */
async function makeTemplate(adminUrl: string): Promise<void> {
  const { url } = await ensureDatabase({
    adminUrl,
    database: template,
    role: "tillgate",
    password: randomBytes(24).toString("base64url"),
  });
  await ensureWorker({ adminUrl, role: worker, password: randomBytes(24).toString("base64url") });
  await migrateDatabase(url, worker);
  await asAdministrator(adminUrl, (client) =>
    client.query(`ALTER DATABASE ${template} WITH IS_TEMPLATE true`),
  );
}

/** Seeded by the role that seeds in real life. @returns what a test must know of it. */
async function makeSeededTemplate(adminUrl: string) {
  await asAdministrator(adminUrl, (client) =>
    client.query(`CREATE DATABASE ${seededTemplate} TEMPLATE ${template} OWNER tillgate`),
  );
  const address = new URL(adminUrl);
  address.pathname = `/${seededTemplate}`;
  address.searchParams.set("options", `-c role=${worker}`);
  const keys = `test:${randomBytes(32).toString("base64")}`;
  const access = await seedSandbox({ databaseUrl: address.href, keyring: parseKeyring(keys) });
  return { template: seededTemplate, keys, access };
}

async function asAdministrator(
  adminUrl: string,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
