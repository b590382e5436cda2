import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseKeyring } from "@tillgate/database";
import { findRunningServer } from "@tillgate/database/embedded";
import { migrateDatabase } from "@tillgate/database/schema";
import { type SandboxDescription, seedSandbox } from "@tillgate/database/seed";
import { asRole, ensureDatabase, ensureWorker } from "@tillgate/migrate";
import { createFailureCounts } from "../../../src/failure-counts.js";
import { findFreeBasePort } from "../../../src/ports.js";
import { type Closing, closeAll } from "../../../src/start-services.js";
import { startSupervisedServer } from "../../../src/supervised-server.js";

const root = path.join(import.meta.dirname, "../../../..");
export const INTERNAL_KEY = "internal-key-of-the-crash-test-0000000000";
const HEALTHY_LIMIT_MS = 30_000;

/** PostgreSQL with fsync and two api processes, each of which can be killed and restarted. */
export type System = {
  apis: readonly string[];
  access: SandboxDescription;
  databaseUrl: string;
  /** Superuser URL. */
  adminUrl: string;
  /** Number of PostgreSQL restarts. */
  databaseRestarts(): number;
  /** Kills a process with SIGKILL and restarts it. @param victim index in {@link VICTIMS} */
  crash(victim: number): Promise<void>;
  /** Exits of api processes that the test did not kill. There must be none, regardless of what happens to PostgreSQL. */
  unexpectedExits: readonly string[];
  stop(): Promise<void>;
};
export const VICTIMS = ["an api process", "the other api process", "PostgreSQL"] as const;

/** Starts PostgreSQL with a seeded sandbox, and two api processes. @param disk folder for the data. */
export async function startSystem(disk = tmpdir()): Promise<System> {
  const folder = await mkdtemp(path.join(disk, "tillgate-crashes-"));
  const closing: Closing = [() => rm(folder, { recursive: true, force: true })];
  try {
    return await startIn(folder, closing);
  } catch (error) {
    await closeAll(closing);
    throw error;
  }
}

async function startIn(folder: string, closing: Closing): Promise<System> {
  const basePort = await findFreeBasePort();
  let restarts = 0;
  const report = (line: string) => {
    if (line === "PostgreSQL is running again.") restarts += 1;
  };
  const adminUrl = await startSupervisedServer(
    { dataDirectory: folder, port: basePort + 5, fsync: true, report, failures: createFailureCounts([]) },
    closing,
  );
  const password = randomBytes(12).toString("hex");
  const { url: ownerUrl } = await ensureDatabase({
    adminUrl,
    database: "tillgate",
    role: "tillgate",
    password,
  });
  await ensureWorker({ adminUrl, role: "tillgate_api", password });
  await migrateDatabase(ownerUrl, "tillgate_api");
  const databaseUrl = asRole(ownerUrl, "tillgate_api", password);
  const keys = `test:${randomBytes(32).toString("base64")}`;
  const access = await seedSandbox({ databaseUrl, keyring: parseKeyring(keys) });
  if (access === null) throw new Error("The database is already seeded.");

  const ports = [basePort, basePort + 1];
  const apis = ports.map((port) => `http://127.0.0.1:${port}`);
  const unexpectedExits: string[] = [];
  const stopped = new WeakSet<ChildProcess>();
  const startApi = (port: number): ChildProcess => {
    const child = spawn(process.execPath, [path.join(root, "apps/api/dist/main.js")], {
      stdio: ["ignore", "ignore", "inherit"],
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        DATABASE_URL: databaseUrl,
        TILLGATE_INTERNAL_KEY: INTERNAL_KEY,
        TILLGATE_ENCRYPTION_KEYS: keys,
        TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: "allow",
        TILLGATE_PAY_REQUESTS_PER_MINUTE: "1000000",
        TILLGATE_PARTNER_REQUESTS_PER_MINUTE: "1000000",
        // A killed worker's deliveries are reclaimed after this timeout.
        TILLGATE_DELIVERY_TIMEOUT_MS: "1000",
        LOG_LEVEL: "fatal",
      },
    });
    child.once("exit", (code, signal) => {
      if (!stopped.has(child)) unexpectedExits.push(`port ${port}: ${signal ?? `code ${code}`}`);
    });
    return child;
  };
  const end = async (child: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    stopped.add(child);
    child.kill(signal);
    await once(child, "exit");
  };
  const processes = ports.map(startApi);
  closing.push(() => Promise.all(processes.map((child) => end(child, "SIGTERM"))));
  await Promise.all(apis.map(healthy));

  return {
    apis,
    unexpectedExits,
    access,
    databaseUrl,
    adminUrl,
    databaseRestarts: () => restarts,
    async crash(victim) {
      const port = ports[victim];
      if (port === undefined) {
        const before = restarts;
        const pid = await findRunningServer(path.join(folder, "postgres"));
        if (pid === undefined) throw new Error("PostgreSQL is not running.");
        process.kill(pid, "SIGKILL");
        while (restarts === before) await delay(50);
        return;
      }
      const dying = processes[victim];
      if (dying) await end(dying, "SIGKILL");
      processes[victim] = startApi(port);
      await healthy(`http://127.0.0.1:${port}`);
    },
    stop: () => closeAll(closing),
  };
}

async function healthy(origin: string): Promise<void> {
  const deadline = Date.now() + HEALTHY_LIMIT_MS;
  for (;;) {
    const response = await fetch(`${origin}/readyz`).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return;
    if (Date.now() > deadline) throw new Error(`${origin} is not ready.`);
    await delay(50);
  }
}
