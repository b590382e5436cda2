import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findFreeBasePort, type Stack, startStack } from "@tillgate/stack";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { childWithPort } from "../support/child-with-port.js";

const RESTART_LIMIT_MS = 40_000;
const POLL_MS = 50;

let folder: string;
let basePort: number;
let stack: Stack;
const reported: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-killed-"));
  basePort = await findFreeBasePort();
  stack = await startStack({
    dataDirectory: path.join(folder, "data"),
    basePort,
    report: (line) => reported.push(line),
  });
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

const services = ["api", "pay", "dashboard", "store", "connector"] as const;
const portOf = (name: (typeof services)[number]) => basePort + services.indexOf(name);

/** Returns the HTTP status of a service's health check; 0 if there is no response. */
const healthOf = (name: (typeof services)[number]): Promise<number> =>
  fetch(`http://127.0.0.1:${portOf(name)}/healthz`, { headers: { connection: "close" } }).then(
    async (response) => {
      await response.body?.cancel();
      return response.status;
    },
    () => 0,
  );

const pidOf = (name: (typeof services)[number]) => childWithPort(portOf(name));

describe.sequential("a killed process", () => {
  it.each(services)(
    "is restarted while the other services keep running and responding: %s",
    async (killed) => {
      const others = services.filter((name) => name !== killed);
      const before = await Promise.all(others.map(pidOf));
      const killedPid = await pidOf(killed);
      process.kill(killedPid, "SIGKILL");
      await expect.poll(() => healthOf(killed), { interval: POLL_MS }).toBe(0);
      const deadline = Date.now() + RESTART_LIMIT_MS;
      while ((await healthOf(killed)) !== 200) {
        expect(await Promise.all(others.map(healthOf))).toEqual(others.map(() => 200));
        if (Date.now() > deadline) throw new Error(`${killed} was not restarted.`);
        await delay(POLL_MS);
      }
      expect(await pidOf(killed)).not.toBe(killedPid);
      expect(await Promise.all(others.map(pidOf))).toEqual(before);
      await expect
        .poll(() => reported, { timeout: RESTART_LIMIT_MS })
        .toContain(`${killed} is running again.`);
    },
    RESTART_LIMIT_MS * 2,
  );
});
