import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseKeyring } from "@tillgate/database";
import { asRole } from "@tillgate/migrate";
import { findFreeBasePort, type Sandbox, startStack } from "@tillgate/stack";
import pg from "pg";
import { addMerchants, addShoppers, type BenchMerchant, type BenchShopper } from "./parties.js";

/** Rate limits far above what one machine reaches, because the benchmark does not measure them. */
const NO_LIMITS = {
  TILLGATE_PAY_REQUESTS_PER_MINUTE: "100000000",
  TILLGATE_PARTNER_REQUESTS_PER_MINUTE: "100000000",
  TILLGATE_TOKENS_PER_MINUTE: "100000000",
  TILLGATE_SIGN_INS_PER_MINUTE: "100000",
  TILLGATE_CONFIRMS_PER_MINUTE: "100000",
  TILLGATE_STREAMS_PER_IP_ADDRESS: "10000",
  LOG_LEVEL: "error",
};

/** One HTTP process, regardless of the number of cores. A figure that needs two processes starts a second API. */
const ONE_PROCESS = { TILLGATE_HTTP_PROCESSES: "1" };

const POOL_SIZE = 32;
const MERCHANTS = 64;
const SHOPPERS = 64;

/** Tillgate as `npm start` runs it: a production build on an embedded PostgreSQL with fsync, in a new data folder. */
export type System = {
  sandbox: Sandbox;
  internalKey: string;
  /** The API's settings, with which a figure can start another API. */
  apiSettings: Readonly<Record<string, string>>;
  pool: pg.Pool;
  ownerUrl: string;
  /** Superuser URL of the same server, which can create more databases. */
  adminUrl: string;
  /** PostgreSQL's data directory. */
  databaseDirectory: string;
  merchants: readonly BenchMerchant[];
  shoppers: readonly BenchShopper[];
  startMs: number;
  stop(): Promise<void>;
};

export async function startSystem(): Promise<System> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "tillgate-bench-"));
  const startedAt = performance.now();
  const stack = await startStack({
    dataDirectory,
    basePort: await findFreeBasePort(),
    environment: { ...NO_LIMITS, ...ONE_PROCESS },
    report: (line) => console.log(line),
  });
  const startMs = performance.now() - startedAt;
  const pool = new pg.Pool({ connectionString: stack.sandbox.database_url, max: POOL_SIZE });
  const stop = async () => {
    await pool.end();
    await stack.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
  try {
    const secrets: { internal_key: string; encryption_keys: string; database_password: string } = JSON.parse(
      await readFile(path.join(dataDirectory, "secrets.json"), "utf8"),
    );
    const shoppers = await addShoppers(pool, SHOPPERS);
    const merchants = await addMerchants(pool, parseKeyring(secrets.encryption_keys), MERCHANTS);
    return {
      sandbox: stack.sandbox,
      internalKey: secrets.internal_key,
      apiSettings: JSON.parse(await readFile(path.join(dataDirectory, "api-settings.json"), "utf8")),
      pool,
      ownerUrl: asRole(stack.sandbox.database_url, "tillgate", secrets.database_password),
      databaseDirectory: path.join(dataDirectory, "postgres"),
      adminUrl: await buildAdminUrl(stack.sandbox.database_url, dataDirectory),
      merchants,
      shoppers,
      startMs,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the superuser's URL. The embedded server stores the password next to its data. */
async function buildAdminUrl(databaseUrl: string, dataDirectory: string): Promise<string> {
  const password = await readFile(path.join(dataDirectory, "postgres-password"), "utf8");
  return new URL("/postgres", asRole(databaseUrl, "postgres", password.trim())).href;
}
