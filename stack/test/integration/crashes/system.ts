import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseKeyring } from "@tillgate/database";
import { runningServer } from "@tillgate/database/embedded";
import { migrateDatabase } from "@tillgate/database/schema";
import { type SandboxDescription, seedSandbox } from "@tillgate/database/seed";
import { asRole, ensureDatabase, ensureWorker } from "@tillgate/migrate";
import { openServer } from "../../../src/open-server.js";
import { closeAll, type Parts } from "../../../src/parts.js";
import { freeBasePort } from "../../../src/ports.js";

const root = path.join(import.meta.dirname, "../../../..");
export const INTERNAL_KEY = "internal-key-of-the-crash-test-0000000000";
const HEALTHY_LIMIT_MS = 30_000;

/** PostgreSQL with fsync on and two api processes over it, each of which can be killed and started again. */
export type System = {
  apis: readonly string[];
  access: SandboxDescription;
  databaseUrl: string;
  /** As a superuser, of the database of the same name. */
  adminUrl: string;
  /** How often PostgreSQL has been started again. */
  databaseStarts(): number;
  /** Kills one of the three with -9 and starts it again; `victim` counts from 0, PostgreSQL is the last. */
  crash(victim: number): Promise<void>;
  /** What an api process ended with that nobody had killed: whatever happens to PostgreSQL, it goes on. */
  endedUnasked: readonly string[];
  stop(): Promise<void>;
};
export const VICTIMS = ["an api process", "the other api process", "PostgreSQL"] as const;

/** @param disk the folder of the disk that it lies on. */
export async function startSystem(disk = tmpdir()): Promise<System> {
  const folder = await mkdtemp(path.join(disk, "tillgate-crashes-"));
  const basePort = await freeBasePort();
  let starts = 0;
  const parts: Pick<Parts, "closing"> = { closing: [] };
  const report = (line: string) => {
    if (line === "PostgreSQL runs again.") starts += 1;
  };
  const adminUrl = await openServer(
    { dataDirectory: folder, port: basePort + 5, fsync: true, report },
    parts,
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
  if (access === null) throw new Error("The database was seeded before.");

  const ports = [basePort, basePort + 1];
  const apis = ports.map((port) => `http://127.0.0.1:${port}`);
  const endedUnasked: string[] = [];
  const asked = new WeakSet<ChildProcess>();
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
        TILLGATE_PAY_REQUESTS_A_MINUTE: "1000000",
        TILLGATE_PARTNER_REQUESTS_A_MINUTE: "1000000",
        // A job of a killed worker is taken over when its attempt cannot be under way any more.
        TILLGATE_DELIVERY_TIMEOUT_MS: "1000",
        LOG_LEVEL: "fatal",
      },
    });
    child.once("exit", (code, signal) => {
      if (!asked.has(child)) endedUnasked.push(`port ${port}: ${signal ?? `code ${code}`}`);
    });
    return child;
  };
  const end = async (child: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    asked.add(child);
    child.kill(signal);
    await once(child, "exit");
  };
  const processes = ports.map(startApi);
  await Promise.all(apis.map(healthy));

  return {
    apis,
    endedUnasked,
    access,
    databaseUrl,
    adminUrl,
    databaseStarts: () => starts,
    async crash(victim) {
      const port = ports[victim];
      if (port === undefined) {
        const before = starts;
        const pid = await runningServer(path.join(folder, "postgres"));
        if (pid === undefined) throw new Error("PostgreSQL does not run.");
        process.kill(pid, "SIGKILL");
        while (starts === before) await delay(50);
        return;
      }
      const dying = processes[victim];
      if (dying) await end(dying, "SIGKILL");
      processes[victim] = startApi(port);
      await healthy(`http://127.0.0.1:${port}`);
    },
    async stop() {
      await Promise.all(processes.map((child) => end(child, "SIGTERM")));
      await closeAll(parts.closing);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function healthy(origin: string): Promise<void> {
  const deadline = Date.now() + HEALTHY_LIMIT_MS;
  for (;;) {
    const answer = await fetch(`${origin}/readyz`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    if (Date.now() > deadline) throw new Error(`${origin} is not ready.`);
    await delay(50);
  }
}
