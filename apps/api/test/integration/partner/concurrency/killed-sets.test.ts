import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { spawnApi } from "../../../support/api-program.js";
import { addPartner, addRecipient, balanceOfAccount, lookUp, partnerApi } from "../../../support/partner.js";
import { send } from "../../../support/requests.js";
import { sceneOfFile } from "../../../support/scene.js";
import { until } from "../../../support/until.js";

const PAYOUTS = 20;
const { sandbox, server } = await sceneOfFile();
const { pool } = sandbox.database;

/** The connections whose statements wait for a lock. */
const waiting = async (): Promise<number[]> => {
  const { rows } = await pool.query(
    `SELECT DISTINCT l.pid FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE NOT l.granted AND a.datid = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rows.map(({ pid }) => pid);
};

/** Payouts of one merchant to one wallet, under way in two sets that wait for the lock of that wallet. */
async function payoutsThatWait() {
  const recipient = await addRecipient(sandbox);
  const partner = await addPartner(sandbox);
  const lookup_token = await lookUp(partnerApi(server, partner.token), recipient);
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
    TILLGATE_PARTNER_REQUESTS_A_MINUTE: "100000",
  });
  const ready = () => send(`${program.url}/readyz`).catch(() => ({ status: 0 }));
  await until("it is ready", async () => (await ready()).status === 200, 20_000);
  const payAll = (through: { url: string }) =>
    Promise.allSettled(bodies.map((body) => partnerApi(through, partner.token).post("/payout", body)));
  const holder = await pool.connect();
  // A connection that is closed gives up its locks.
  onTestFinished(() => holder.release(true));
  await holder.query("BEGIN");
  await holder.query("SELECT FROM accounts WHERE id = $1 FOR UPDATE", [recipient.wallets.EUR]);
  const answers = payAll(program);
  // The first goes alone; those that came meanwhile wait for it a moment, and go together.
  await until("two sets wait for the lock", async () => (await waiting()).length >= 2);
  return {
    program,
    answers,
    letGo: () => holder.query("COMMIT"),
    made: async (): Promise<number> =>
      (await pool.query("SELECT FROM payouts WHERE merchant_id = $1", [partner.merchantId])).rowCount ?? 0,
    /** Repeats all, through another process, and looks what came in. */
    async expectEachOnce() {
      const repeated = await Promise.all(
        bodies.map((body) => partnerApi(server, partner.token).post("/payout", body)),
      );
      expect(repeated.filter(({ status }) => status === 200)).toHaveLength(PAYOUTS);
      expect(await this.made()).toBe(PAYOUTS);
      expect(await balanceOfAccount(sandbox, recipient.wallets.EUR)).toBe(BigInt(PAYOUTS) * 100n);
    },
  };
}

it("kill -9 of the api during groups of payouts: retries pay each once", async () => {
  const scene = await payoutsThatWait();
  const ended = once(scene.program.child, "exit");
  scene.program.child.kill("SIGKILL");
  await ended;
  await scene.letGo();
  await until("the statements have ended", async () => (await waiting()).length === 0);
  for (const answer of await scene.answers) expect(answer.status).toBe("rejected");
  await scene.expectEachOnce();
});

it("groups whose statements the database terminates write nothing, and retries pay each once", async () => {
  const scene = await payoutsThatWait();
  let over = false;
  void scene.answers.then(() => {
    over = true;
  });
  // Those that came later wait too, each time there is room.
  await until("all are answered", async () => {
    for (const pid of await waiting()) await sandbox.administer(`SELECT pg_terminate_backend(${pid})`);
    return over;
  });
  const answers = await scene.answers;
  expect(await scene.made()).toBe(0);
  await scene.letGo();
  expect(answers.map((answer) => answer.status === "fulfilled" && answer.value.status)).toEqual(
    Array.from({ length: PAYOUTS }, () => 503),
  );
  await scene.expectEachOnce();
});
