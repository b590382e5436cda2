import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { proveLedger } from "@tillgate/database";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectBooksOf, merchantBalance } from "./books.js";
import { startLoad } from "./load.js";
import { type System, startSystem } from "./system.js";

/** Room for a new database and some work. */
const DISK = "size=300m";
/** Work before the disk is full, while it is, and after, in milliseconds. */
const WORK_MS = 5_000;
/** The longest that a call may take meanwhile, in milliseconds: far from a time-out. */
const ANSWER_MS = 10_000;

/** A disk of its own for the test; undefined where this user may not mount one. */
async function mountDisk(): Promise<string | undefined> {
  if (process.env.TILLGATE_TEST_COUNTS !== "full") return undefined;
  const folder = await mkdtemp(path.join(tmpdir(), "tillgate-disk-"));
  if (run("mount", "-t", "tmpfs", "-o", `${DISK},mode=777`, "tmpfs", folder)) return folder;
  await rm(folder, { recursive: true });
  return undefined;
}

const run = (program: string, ...words: string[]): boolean => spawnSync(program, words).status === 0;

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

const IN_LONG_RUN_AS_ROOT = "(npm run test:long, as root, who may mount a small disk)";

it.skipIf(disk === undefined)(
  `a disk without room, filled under load until PostgreSQL ends: 503 and when to come again, then it goes on by itself ${IN_LONG_RUN_AS_ROOT}`,
  async () => {
    const opening = await merchantBalance(system);
    const load = startLoad(system, "http://127.0.0.1:1024/nobody");
    await delay(WORK_MS);

    const fill = path.join(disk ?? "", "fill");
    run("dd", "if=/dev/zero", `of=${fill}`, "bs=4k");
    await expect.poll(() => readiness(system), { timeout: 30_000 }).toContain("503 database_full");
    expect(await answersMeanwhile()).toContain("503 with Retry-After");

    await endForWantOfRoom();
    expect(await answersMeanwhile()).toEqual(new Set(["503 with Retry-After"]));

    await rm(fill);
    await expect.poll(() => readiness(system), { timeout: 30_000 }).toBe("200 ");
    expect(system.databaseStarts()).toBeGreaterThan(0);
    await delay(WORK_MS);
    await load.finish();
    expect(await makeOrder(system)).toBe("200");

    await expectBooksOf(system, load, opening);
    expect(system.endedUnasked).toEqual([]);
    const { rules } = await proveLedger(system.databaseUrl);
    expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([]);
  },
  300_000,
);

/** What new orders are answered for a while. */
async function answersMeanwhile(): Promise<Set<string>> {
  const until = Date.now() + WORK_MS;
  const answered = new Set<string>();
  while (Date.now() < until) answered.add(await makeOrder(system));
  expect([...answered].filter((answer) => !["200", "503 with Retry-After"].includes(answer))).toEqual([]);
  return answered;
}

/** PostgreSQL ends itself as soon as its log needs a file for which there is no room. */
async function endForWantOfRoom(): Promise<void> {
  const client = new pg.Client({ connectionString: system.adminUrl });
  let ended = false;
  client
    .on("error", () => undefined)
    .once("end", () => {
      ended = true;
    });
  await client.connect();
  const until = Date.now() + WORK_MS * 4;
  // Some files of the log lie ready for use.
  while (!ended && Date.now() < until)
    await client
      .query("SELECT pg_logical_emit_message(false, 'test', 'x'), pg_switch_wal()")
      .catch(() => delay(100));
  expect(ended).toBe(true);
}

async function readiness({ apis: [api] }: System): Promise<string> {
  const answer = await fetch(`${api}/readyz`);
  const { error_code = "" }: { error_code?: string } = JSON.parse(await answer.text());
  return `${answer.status} ${error_code}`;
}

/** @returns its status, and whether it says when to come again. */
async function makeOrder({ apis: [api], access: { merchant } }: System): Promise<string> {
  const secret = Buffer.from(`${merchant.client_id}:${merchant.client_secret}`).toString("base64");
  const answer = await fetch(`${api}/pay/sandbox/api/v1/orders`, {
    method: "POST",
    headers: { authorization: `Basic ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ amount: 1, currency: "EUR" }),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  await answer.body?.cancel();
  return answer.headers.has("retry-after") ? `${answer.status} with Retry-After` : `${answer.status}`;
}
