import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { proveLedger } from "@tillgate/database";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectBooksToMatch, merchantBalance } from "./books.js";
import { startLoad } from "./load.js";
import { type System, startSystem } from "./system.js";

/** Enough for a new database and some load. */
const DISK = "size=300m";
/** Duration of the load before, during and after the full disk, in milliseconds. */
const WORK_MS = 5_000;
/** Timeout of a call, in milliseconds. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** Mounts a small disk and returns its folder; undefined if TILLGATE_TEST_COUNTS is not "full", or this user cannot mount one. */
async function mountDisk(): Promise<string | undefined> {
  if (process.env.TILLGATE_TEST_COUNTS !== "full") return undefined;
  const folder = await mkdtemp(path.join(tmpdir(), "tillgate-disk-"));
  if (run("mount", "-t", "tmpfs", "-o", `${DISK},mode=777`, "tmpfs", folder)) return folder;
  await rm(folder, { recursive: true });
  return undefined;
}

const run = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

const disk = await mountDisk();
let system: System;
beforeAll(async () => {
  if (disk !== undefined) system = await startSystem(disk);
}, 120_000);
afterAll(async () => {
  if (disk === undefined) return;
  await system.stop();
  run("umount", disk);
  await rm(disk, { recursive: true });
});

const IN_LONG_RUN_AS_ROOT = "(npm run test:long, as root, to mount a small disk)";

it.skipIf(disk === undefined)(
  `under load, the API responds with 503 and Retry-After while a full disk stops PostgreSQL, loses no payment, and recovers ${IN_LONG_RUN_AS_ROOT}`,
  async () => {
    const opening = await merchantBalance(system);
    const load = startLoad(system, "http://127.0.0.1:1024/nobody");
    await delay(WORK_MS);

    const fill = path.join(disk ?? "", "fill");
    run("dd", "if=/dev/zero", `of=${fill}`, "bs=4k");
    await expect.poll(() => readiness(system), { timeout: 30_000 }).toContain("503 database_full");
    expect(await collectResponses()).toContain("503 with Retry-After");

    await fillWalUntilServerExits();
    expect(await collectResponses()).toEqual(new Set(["503 with Retry-After"]));

    await rm(fill);
    await expect.poll(() => readiness(system), { timeout: 30_000 }).toBe("200 ");
    expect(system.databaseRestarts()).toBeGreaterThan(0);
    await delay(WORK_MS);
    await load.finish();
    expect(await createOrder(system)).toBe("200");

    await expectBooksToMatch(system, load, opening);
    expect(system.unexpectedExits).toEqual([]);
    const { rules } = await proveLedger(system.databaseUrl);
    expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([]);
  },
  300_000,
);

/** Creates orders for a while, and returns the distinct responses. Expects nothing but 200 and 503 with Retry-After. */
async function collectResponses(): Promise<Set<string>> {
  const until = Date.now() + WORK_MS;
  const responses = new Set<string>();
  while (Date.now() < until) responses.add(await createOrder(system));
  expect([...responses].filter((response) => !["200", "503 with Retry-After"].includes(response))).toEqual(
    [],
  );
  return responses;
}

/** Fills the WAL until PostgreSQL exits, because it cannot create the next segment. */
async function fillWalUntilServerExits(): Promise<void> {
  const client = new pg.Client({ connectionString: system.adminUrl });
  let ended = false;
  client
    .on("error", () => undefined)
    .once("end", () => {
      ended = true;
    });
  await client.connect();
  const until = Date.now() + WORK_MS * 4;
  // Some preallocated WAL segments are still available.
  while (!ended && Date.now() < until)
    await client
      .query("SELECT pg_logical_emit_message(false, 'test', 'x'), pg_switch_wal()")
      .catch(() => delay(100));
  expect(ended).toBe(true);
}

async function readiness({ apis: [api] }: System): Promise<string> {
  const response = await fetch(`${api}/readyz`);
  const { error_code = "" }: { error_code?: string } = JSON.parse(await response.text());
  return `${response.status} ${error_code}`;
}

/** Creates an order. @returns the response's status, and whether it has Retry-After. */
async function createOrder({ apis: [api], access: { merchant } }: System): Promise<string> {
  const secret = Buffer.from(`${merchant.client_id}:${merchant.client_secret}`).toString("base64");
  const response = await fetch(`${api}/pay/sandbox/api/v1/orders`, {
    method: "POST",
    headers: { authorization: `Basic ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ amount: 1, currency: "EUR" }),
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
  });
  await response.body?.cancel();
  return response.headers.has("retry-after") ? `${response.status} with Retry-After` : `${response.status}`;
}
