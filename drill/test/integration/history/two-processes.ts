import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { SandboxDescription } from "@tillgate/database/seed";
import { onTestFinished } from "vitest";
import {
  createFromTemplate,
  databaseUrl,
  dropDatabase,
  requireRunValue,
} from "../../../../scripts/testing/databases.js";
import { freePorts } from "../../../../scripts/testing/free-port.js";
import { checkHistory, type Verdict } from "../../../src/history/check.js";
import { readHistory } from "../../../src/history/operation.js";
import type { Address } from "../../../src/history/parties.js";
import { startTraffic } from "../../../src/history/traffic.js";
import { createProgram } from "../../../src/program.js";
import { NO_LIMITS } from "../../../src/system.js";
import { waitUntil } from "../../../src/until.js";

const API = path.resolve(import.meta.dirname, "../../../../apps/api/dist/main.js");
const START_LIMIT_MS = 30_000;
const RECORD_LIMIT_MS = 1_200_000;

export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tillgate-history-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  // When root runs the tests, PostgreSQL runs as another user.
  await chmod(folder, 0o711);
  return folder;
}

/**
 * Starts two HTTP processes on a database of the run's PostgreSQL, and stops them at the end of the test.
 * @returns their addresses and the database's superuser URL.
 */
export async function startTwoProcesses(): Promise<Address & { superuserUrl: string }> {
  const seed: { template: string; keys: string; access: SandboxDescription } = JSON.parse(
    requireRunValue("TILLGATE_TEST_SEED"),
  );
  const folder = await createFolder();
  const database = await createFromTemplate("history", seed.template);
  onTestFinished(() => dropDatabase(database));
  const superuserUrl = databaseUrl(database).href;
  const url = databaseUrl(database);
  url.searchParams.set("options", "-c role=tillgate_api");
  const internalKey = randomBytes(32).toString("hex");
  const ports = await freePorts(2);
  const origins = ports.map((port) => `http://127.0.0.1:${port}`);
  for (const port of ports) {
    const api = createProgram({
      name: `http-${port}`,
      command: process.execPath,
      arguments: [API],
      logFile: path.join(folder, `http-${port}.log`),
      environment: {
        ...NO_LIMITS,
        TILLGATE_ROLE: "http",
        TILLGATE_HTTP_PROCESSES: "1",
        PORT: String(port),
        DATABASE_URL: url.href,
        TILLGATE_INTERNAL_KEY: internalKey,
        TILLGATE_ENCRYPTION_KEYS: seed.keys,
        LOG_LEVEL: "fatal",
      },
    });
    api.start();
    onTestFinished(() => api.stop());
  }
  for (const origin of origins)
    await waitUntil(origin, START_LIMIT_MS, async () => (await fetch(`${origin}/readyz`)).ok || undefined);
  return { origins, internalKey, access: seed.access, superuserUrl };
}

/** Records at least `operations` operations, and checks their history. @param meanwhile runs after half of them. */
export async function recordAndCheck(
  address: Address,
  { operations, clients }: { operations: number; clients: number },
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<Verdict> {
  const file = path.join(await createFolder(), "history.jsonl");
  const traffic = await startTraffic(address, file, { clients });
  try {
    const waitFor = (count: number) =>
      waitUntil(`${count} operations`, RECORD_LIMIT_MS, async () => traffic.count >= count || undefined);
    await waitFor(operations / 2);
    await meanwhile();
    await waitFor(operations);
  } finally {
    await traffic.end();
  }
  await traffic.readFinalStatements();
  return checkHistory(readHistory(file));
}
