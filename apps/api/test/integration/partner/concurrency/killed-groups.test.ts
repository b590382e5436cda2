import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import {
  accountBalance,
  addPartner,
  addRecipient,
  lookUpRecipient,
  partnerApi,
} from "../../../support/partner.js";
import { send } from "../../../support/requests.js";
import { spawnApi } from "../../../support/spawned-api.js";
import { createTestApi } from "../../../support/test-api.js";
import { waitUntil } from "../../../support/wait-until.js";

const PAYOUTS = 20;
const { sandbox, server } = await createTestApi();
const { pool } = sandbox.database;

/** SQL to follow FROM: the sessions of this database that wait for a lock. */
const WAITING = `pg_stat_activity
  WHERE datname = current_database() AND pid IN (SELECT pid FROM pg_locks WHERE NOT granted)`;
const countWaiting = async (): Promise<number> => (await pool.query(`SELECT FROM ${WAITING}`)).rowCount ?? 0;

/**
 * Starts payouts to one wallet that wait for the wallet's lock: a single payout, and a group with the others.
 */
async function startBlockedPayouts() {
  const recipient = await addRecipient(sandbox);
  const partner = await addPartner(sandbox);
  const lookup_token = await lookUpRecipient(partnerApi(server, partner.token), recipient);
  const bodies = Array.from({ length: PAYOUTS }, () => ({
    lookup_token,
    amount: 1,
    sender_currency: "EUR",
    receiver_currency: "EUR",
    reference: randomUUID(),
    idempotency_key: randomUUID(),
  }));
  const program = await spawnApi(sandbox, {
    TILLGATE_ROLE: "http",
    TILLGATE_HTTP_PROCESSES: "1",
    TILLGATE_GROUP_COMMIT: "always",
    TILLGATE_PARTNER_REQUESTS_PER_MINUTE: "100000",
  });
  const ready = () => send(`${program.url}/readyz`).catch(() => ({ status: 0 }));
  await waitUntil("the API is ready", async () => (await ready()).status === 200, 20_000);
  const payAll = (through: { url: string }) =>
    Promise.allSettled(bodies.map((body) => partnerApi(through, partner.token).post("/payout", body)));
  const holder = await pool.connect();
  // Closing the connection releases its locks.
  onTestFinished(() => holder.release(true));
  await holder.query("BEGIN");
  await holder.query("SELECT FROM accounts WHERE id = $1 FOR UPDATE", [recipient.wallets.EUR]);
  const responses = payAll(program);
  // The first payout runs alone. The payouts queued meanwhile run as a group.
  await waitUntil("two statements wait for the lock", async () => (await countWaiting()) >= 2);
  return {
    program,
    responses,
    letGo: () => holder.query("COMMIT"),
    countPayouts: async (): Promise<number> =>
      (await pool.query("SELECT FROM payouts WHERE merchant_id = $1", [partner.merchantId])).rowCount ?? 0,
    /** Retries all payouts through another process, and expects each to be paid once. */
    async expectEachOnce() {
      const repeated = await Promise.all(
        bodies.map((body) => partnerApi(server, partner.token).post("/payout", body)),
      );
      expect(repeated.filter(({ status }) => status === 200)).toHaveLength(PAYOUTS);
      expect(await this.countPayouts()).toBe(PAYOUTS);
      expect(await accountBalance(sandbox, recipient.wallets.EUR)).toBe(BigInt(PAYOUTS) * 100n);
    },
  };
}

it("kill -9 of the API during group commits of payouts: retries pay each payout once", async () => {
  const scene = await startBlockedPayouts();
  const ended = once(scene.program.child, "exit");
  scene.program.child.kill("SIGKILL");
  await ended;
  await scene.letGo();
  await waitUntil("the statements have ended", async () => (await countWaiting()) === 0);
  for (const response of await scene.responses) expect(response.status).toBe("rejected");
  await scene.expectEachOnce();
});

it("groups whose statements the database terminates write nothing, and retries pay each payout once", async () => {
  const scene = await startBlockedPayouts();
  let over = false;
  void scene.responses.then(() => {
    over = true;
  });
  // Later groups are blocked too.
  await waitUntil(
    "every payout has a response",
    async () => {
      await sandbox.executeAsSuperuser(`SELECT pg_terminate_backend(pid) FROM ${WAITING}`);
      return over;
    },
    40_000,
  );
  const responses = await scene.responses;
  expect(await scene.countPayouts()).toBe(0);
  await scene.letGo();
  expect(responses.map((response) => response.status === "fulfilled" && response.value.status)).toEqual(
    Array.from({ length: PAYOUTS }, () => 503),
  );
  await scene.expectEachOnce();
}, 60_000);
