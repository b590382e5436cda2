import { randomBytes } from "node:crypto";
import path from "node:path";
import { parseKeyring } from "@tillgate/database";
import { migrateDatabase } from "@tillgate/database/schema";
import { type SandboxDescription, seedSandbox } from "@tillgate/database/seed";
import { asRole, ensureDatabase, ensureWorker } from "@tillgate/migrate";
import { freePorts } from "../../scripts/testing/free-port.js";
import { type Apis, type Databases, type StartDatabases, superuserUrl } from "./databases.js";
import { createProgram, type Program } from "./program.js";
import { waitUntil } from "./until.js";

const PROGRAM = path.resolve(import.meta.dirname, "../../apps/api/dist/main.js");
const HOST = "127.0.0.1";
const START_LIMIT_MS = 60_000;
const DATABASE = "tillgate";
const WORKER = "tillgate_api";
/** Rate limits that the load never reaches, because they are not under test. */
export const NO_LIMITS = {
  TILLGATE_PAY_REQUESTS_PER_MINUTE: "1000000",
  TILLGATE_PARTNER_REQUESTS_PER_MINUTE: "1000000",
  TILLGATE_CONFIRMS_PER_MINUTE: "100000",
  TILLGATE_SHOPPER_QUOTES_PER_MINUTE: "100000",
  TILLGATE_SIGN_INS_PER_MINUTE: "100000",
};

export type System<Cluster extends Databases = Databases> = {
  cluster: Cluster;
  /** The HTTP processes in the order of `origins`, and the worker. */
  apis: readonly Program[];
  internalKey: string;
  settings: Readonly<Record<string, string>>;
  access: SandboxDescription;
  stop(): Promise<void>;
} & Apis;

export async function startSystem<Cluster extends Databases>(
  folder: string,
  synchronous: boolean,
  start: StartDatabases<Cluster>,
): Promise<System<Cluster>> {
  const ownerPassword = randomBytes(16).toString("hex");
  const workerPassword = randomBytes(16).toString("hex");
  const cluster = await start({ folder, synchronous, users: { [WORKER]: workerPassword } });
  const apis: Program[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(apis.map((api) => api.stop()));
    await cluster.stop();
  };
  try {
    const getSuperuserUrl = (port: number, database = DATABASE): string =>
      superuserUrl(cluster, port, database);
    const adminUrl = getSuperuserUrl(cluster.directPort, "postgres");
    const { url: ownerUrl } = await ensureDatabase({
      adminUrl,
      database: DATABASE,
      role: DATABASE,
      password: ownerPassword,
    });
    await ensureWorker({ adminUrl, role: WORKER, password: workerPassword });
    await migrateDatabase(ownerUrl, WORKER);
    const keys = `drill:${randomBytes(32).toString("base64")}`;
    const access = await seedSandbox({ databaseUrl: ownerUrl, keyring: parseKeyring(keys) });
    if (access === null) throw new Error("The cluster's database was not empty.");
    const internalKey = randomBytes(32).toString("hex");
    const [first = 0, second = 0] = await freePorts(2);
    const settings: Record<string, string> = {
      NODE_ENV: "production",
      DATABASE_URL: asRole(`postgresql://${HOST}:${cluster.pooledPort}/${DATABASE}`, WORKER, workerPassword),
      DATABASE_DIRECT_URL: asRole(ownerUrl, WORKER, workerPassword),
      TILLGATE_STATEMENT_NAMES: "off",
      TILLGATE_HTTP_PROCESSES: "1",
      TILLGATE_PAY_URL: "https://pay.example.test",
      TILLGATE_INTERNAL_KEY: internalKey,
      TILLGATE_ENCRYPTION_KEYS: keys,
      // The receiver is on this machine.
      TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: "allow",
      LOG_LEVEL: "warn",
      ...NO_LIMITS,
    };
    const api = (name: string, environment: Record<string, string>): Program =>
      createProgram({
        name,
        command: process.execPath,
        arguments: [PROGRAM],
        logFile: path.join(folder, `${name}.log`),
        environment: { ...settings, ...environment },
      });
    apis.push(
      api("http-one", { TILLGATE_ROLE: "http", PORT: String(first) }),
      api("http-two", { TILLGATE_ROLE: "http", PORT: String(second) }),
      api("worker", { TILLGATE_ROLE: "worker" }),
    );
    for (const one of apis) one.start();
    const origins = [first, second].map((port) => `http://${HOST}:${port}`);
    for (const origin of origins) await waitUntilReady(origin);
    const restart = async (): Promise<void> => {
      for (const [at, one] of apis.entries()) {
        await one.stop();
        one.start();
        const origin = origins[at];
        if (origin !== undefined) await waitUntilReady(origin);
      }
    };
    return {
      cluster,
      origins,
      apis,
      internalKey,
      settings,
      access,
      superuserUrl: getSuperuserUrl,
      restart,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const waitUntilReady = (origin: string): Promise<true> =>
  waitUntil(`${origin} serves`, START_LIMIT_MS, async () =>
    (await fetch(`${origin}/readyz`)).ok ? true : undefined,
  );
