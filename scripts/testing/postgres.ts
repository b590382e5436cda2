import { randomBytes } from "node:crypto";
import path from "node:path";
import pg from "pg";
import { startEmbeddedServer } from "../../packages/database/src/embedded/server.js";
import { migrateDatabase } from "../../packages/database/src/schema.js";
import { parseKeyring } from "../../packages/database/src/secrets.js";
import { seedSandbox } from "../../packages/database/src/seed/sandbox.js";
import { ensureDatabase, ensureWorker } from "../../packages/migrate/src/index.js";
import "./cheap-hashes.js";
import { databaseUrl, runAsSuperuser, testServer } from "./databases.js";
import { withFolder } from "./with-folder.js";

const template = "tillgate_template";
/** The API's role in every database created from a template. */
const apiRole = "tillgate_api";
const seededTemplate = "tillgate_seeded_template";

/**
 * Starts one PostgreSQL for the run. `TILLGATE_TEST_POSTGRES_URL` is its superuser URL; each test file creates its own database there.
 * `TILLGATE_TEST_TEMPLATE` is a database with the API's tables and functions. `TILLGATE_TEST_SEED` is JSON with a second template, the seeded
 * sandbox: it is seeded once per run, because its password hashes take longer than most tests.
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
      await makeSignInsCheap();
      await createTemplate(server.url);
      process.env.TILLGATE_TEST_TEMPLATE = template;
      process.env.TILLGATE_TEST_SEED = JSON.stringify(await createSeededTemplate());
    } catch (error) {
      await server.stop();
      throw error;
    }
    return () => server.stop();
  });
}

/** Hashes the superuser's password with 1 iteration instead of 4,096, because tests open thousands of connections. */
async function makeSignInsCheap(): Promise<void> {
  const { username, password } = new URL(testServer());
  await runAsSuperuser(
    `SET scram_iterations = 1;
     ALTER ROLE ${pg.escapeIdentifier(username)} PASSWORD ${pg.escapeLiteral(decodeURIComponent(password))}`,
  );
}

/** Creates the template with the same roles as in production. The owner is not a superuser. */
async function createTemplate(adminUrl: string): Promise<void> {
  const { url } = await ensureDatabase({
    adminUrl,
    database: template,
    role: "tillgate",
    password: randomBytes(24).toString("base64url"),
  });
  await ensureWorker({ adminUrl, role: apiRole, password: randomBytes(24).toString("base64url") });
  await migrateDatabase(url, apiRole);
  await runAsSuperuser(`ALTER DATABASE ${template} WITH IS_TEMPLATE true`);
}

/** Creates the seeded template as the API's role, as in production. @returns the content of TILLGATE_TEST_SEED. */
async function createSeededTemplate() {
  await runAsSuperuser(`CREATE DATABASE ${seededTemplate} TEMPLATE ${template} OWNER tillgate`);
  const address = databaseUrl(seededTemplate);
  address.searchParams.set("options", `-c role=${apiRole}`);
  const keys = `test:${randomBytes(32).toString("base64")}`;
  const access = await seedSandbox({ databaseUrl: address.href, keyring: parseKeyring(keys) });
  return { template: seededTemplate, keys, access };
}
