import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findFreeBasePort, nodeFlags } from "@tillgate/stack";
import { requirePid, type StartedProgram } from "./started-program.js";
import type { System } from "./system.js";

const PROGRAM = path.resolve(import.meta.dirname, "../../apps/api/dist/main.js");
const START_LIMIT_MS = 60_000;
const POLL_INTERVAL_MS = 100;

/** Starts an API without workers. `settings` override those of the system's API. @throws Error if the API exits or is not ready in time. */
export async function startSecondApi(
  { apiSettings }: System,
  settings: Record<string, string>,
): Promise<StartedProgram> {
  const port = await findFreeBasePort();
  const child = spawn(process.execPath, [...nodeFlags, PROGRAM], {
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      ...apiSettings,
      LOG_LEVEL: "error",
      PORT: String(port),
      TILLGATE_ROLE: "http",
      ...settings,
    },
  });
  const ended = once(child, "exit");
  const origin = `http://127.0.0.1:${port}`;
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  const deadline = performance.now() + START_LIMIT_MS;
  while (!(await isReady(origin))) {
    if (child.exitCode === null && performance.now() < deadline) await delay(POLL_INTERVAL_MS);
    else {
      await stop();
      throw new Error(`The second API exited, or was not ready within ${START_LIMIT_MS / 1_000} s.`);
    }
  }
  return { origin, pid: requirePid(child), stop };
}

async function isReady(origin: string): Promise<boolean> {
  const response = await fetch(`${origin}/readyz`).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status === 200;
}

/** Starts two APIs that differ only in group commit. The system's own API cannot be one of them, because it also runs the workers. */
export async function startWithAndWithoutGroups(
  system: System,
): Promise<{ grouped: string; ungrouped: string; stop(): Promise<unknown> }> {
  const start = (groupCommit: string) =>
    startSecondApi(system, { TILLGATE_GROUP_COMMIT: groupCommit, TILLGATE_HTTP_PROCESSES: "1" });
  const grouped = await start("auto");
  try {
    const ungrouped = await start("never");
    return {
      grouped: grouped.origin,
      ungrouped: ungrouped.origin,
      stop: () => Promise.all([grouped.stop(), ungrouped.stop()]),
    };
  } catch (error) {
    await grouped.stop();
    throw error;
  }
}
