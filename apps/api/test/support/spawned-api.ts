import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { onTestFinished } from "vitest";
import { freePort } from "../../../../scripts/testing/free-port.js";
import { INTERNAL_KEY } from "./api-process.js";
import type { Sandbox } from "./sandbox.js";
import { testSeed } from "./test-database.js";

const API_MAIN = path.resolve(import.meta.dirname, "../../dist/main.js");

/** The built API, run by Node as in production. */
export type SpawnedApi = {
  child: ChildProcess;
  port: number;
  url: string;
  output(): string;
};

/**
 * Starts the built API in a process group that is killed after the test. Does not wait until the API is ready.
 * @param output file descriptor for the log; by default, the result's `output()` returns the log
 */
export async function spawnApi(
  sandbox: Sandbox,
  environment: Record<string, string>,
  output?: number,
): Promise<SpawnedApi> {
  const port = await freePort();
  const child = spawn(process.execPath, [API_MAIN], {
    stdio: ["ignore", output ?? "pipe", "pipe"],
    detached: true,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: sandbox.url,
      TILLGATE_INTERNAL_KEY: INTERNAL_KEY,
      TILLGATE_ENCRYPTION_KEYS: testSeed().keys,
      ...environment,
    },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (part: Buffer) => {
      text += part.toString();
    });
  onTestFinished(() => killGroup(child));
  return { child, port, url: `http://127.0.0.1:${port}`, output: () => text };
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The process group has ended.
  }
}
