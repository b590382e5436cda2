import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:http";
import { proveLedger } from "@tillgate/database";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectBooksToMatch, merchantBalance, query } from "./books.js";
import { startLoad } from "./load.js";
import { type System, startSystem, VICTIMS } from "./system.js";

const crashes = process.env.TILLGATE_TEST_COUNTS === "full" ? 100 : 3;
/** Time between two crashes, in milliseconds. */
const WORK_MS = { from: 50, to: 600 };
/** Upper bound for retries of webhooks whose worker was killed, in milliseconds. */
const DELIVERED_LIMIT_MS = 120_000;

let system: System;
let receiver: Server;
const received = new Map<string, string>();
const changed: string[] = [];

beforeAll(async () => {
  system = await startSystem();
  receiver = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const id = String(request.headers["webhook-id"]);
    const body = Buffer.concat(parts).toString();
    if ((received.get(id) ?? body) !== body) changed.push(id);
    received.set(id, body);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
}, 120_000);

afterAll(async () => {
  await system.stop();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

it(`${crashes} SIGKILLs of api and PostgreSQL under load lose, duplicate or invent no money, and every event is delivered unchanged`, async () => {
  const address = receiver.address();
  if (address === null || typeof address === "string") throw new Error("The receiver has no port.");
  const opening = await merchantBalance(system);
  const load = startLoad(system, `http://127.0.0.1:${address.port}/hook`);
  for (let crash = 0; crash < crashes; crash += 1) {
    await new Promise((resolve) => setTimeout(resolve, randomInt(WORK_MS.from, WORK_MS.to)));
    // The victims take turns, so that even a few crashes hit every process.
    await system.crash(crash % VICTIMS.length);
  }
  await load.finish();

  expect(load.references.orders.length).toBeGreaterThan(crashes);
  await expectBooksToMatch(system, load, opening);

  await waitForAllDeliveries();
  expect(changed).toEqual([]);
  expect(system.unexpectedExits).toEqual([]);
  const { rules } = await proveLedger(system.databaseUrl);
  expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([]);
}, 1_200_000);

async function waitForAllDeliveries(): Promise<void> {
  const deadline = Date.now() + DELIVERED_LIMIT_MS;
  for (;;) {
    const events = await query<{ id: string }>(system, "SELECT event_id AS id FROM deliveries");
    const missing = events.filter(({ id }) => !received.has(id));
    if (missing.length === 0) return;
    if (Date.now() > deadline)
      throw new Error(`${missing.length} of ${events.length} events were not delivered.`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
