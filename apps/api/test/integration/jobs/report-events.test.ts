import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  addDays,
  eventListResponseSchema,
  HELD_SUFFIX,
  replayPreviewResponseSchema,
  reportEventSchema,
} from "@tillgate/contract";
import { callOne, ledger, proveLedger } from "@tillgate/database";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startWorkers } from "../../../src/jobs/workers.js";
import { startListener } from "../../../src/platform/listener.js";
import { addCredential } from "../../support/parties.js";
import { addPartner } from "../../support/partner.js";
import { payApi } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import { waitUntil } from "../../support/wait-until.js";

const { sandbox, server } = await createTestApi();
const { pool, prisma } = sandbox.database;
const otherWallet = String((await addPartner(sandbox, { wallets: { EUR: 0n } })).wallets.EUR);

const TODAY = new Date().toISOString().slice(0, 10);
const daysAgo = (days: number): string => addDays(TODAY, -days);

/**
 * Adds a merchant with a wallet that has entries on these days.
 * @param start the wallet's first unreported day
 */
async function createMerchant(start: string, days: string[]) {
  const { merchantId, wallets } = await addPartner(sandbox, { wallets: { EUR: 0n } });
  const wallet = String(wallets.EUR);
  await plant(wallet, days);
  await sandbox.plantRows(`SET session_replication_role = replica;
    UPDATE report_cursors SET next_date = '${start}' WHERE account_id = '${wallet}'`);
  return { merchantId, wallet };
}

/**
 * Books entries at noon (UTC) of these days, and an entry of another wallet today, without which yesterday
 * would stay open for an hour.
 */
async function plant(wallet: string, days: string[]): Promise<void> {
  for (const day of days) await plantEntry(wallet, `${day}T12:00:00Z`);
  await plantEntry(otherWallet, `${TODAY}T00:00:00Z`);
}

const plantEntry = (wallet: string, time: string) =>
  sandbox.plantRows(`SET session_replication_role = replica;
    WITH booked AS (INSERT INTO transfers (id, mode, kind, created_at)
      VALUES (gen_random_uuid(), 'sandbox', 'payment', '${time}') RETURNING id)
    INSERT INTO entries (transfer_id, account_id, mode, currency, amount)
      SELECT id, '${wallet}', 'sandbox', 'EUR', 100 FROM booked`);

const writeEvents = (limit = 10): Promise<number> => callOne(pool, ledger.writeReportEvents, { limit });

/** Writes all events that are due. */
async function writeAllEvents(): Promise<void> {
  while ((await writeEvents()) > 0);
}

/** Reads the data of the merchant's `report.ready` events, in the order of `GET /events`. */
async function readEvents(merchantId: string) {
  const { rows } = await pool.query<{ id: string; body: string }>(
    "SELECT id, body FROM events WHERE merchant_id = $1 AND name = 'report.ready' ORDER BY turn, number",
    [merchantId],
  );
  return rows.map(({ id, body }) => {
    const event: unknown = JSON.parse(body);
    expect(reportEventSchema.strict().parse(event)).toMatchObject({ id });
    return reportEventSchema.parse(event).data;
  });
}
const readDates = async (merchantId: string): Promise<string[]> =>
  (await readEvents(merchantId)).map(({ date }) => date);

const addReceiver = (merchantId: string, events: string[]) =>
  prisma.receiver.create({
    data: {
      merchantId,
      mode: "sandbox",
      address: `http://127.0.0.1:1024/${randomUUID()}`,
      events,
      secretCiphertext: Buffer.from("none"),
      encryptionKeyId: "none",
    },
  });

describe("report.ready", () => {
  it("is written for each closed day with entries, and not for today or an empty day", async () => {
    const { merchantId } = await createMerchant(daysAgo(5), [daysAgo(4), daysAgo(4), daysAgo(2), TODAY]);
    await writeAllEvents();
    expect(await readEvents(merchantId)).toEqual([
      { wallet: "EUR", date: daysAgo(4), time_zone: "UTC" },
      { wallet: "EUR", date: daysAgo(2), time_zone: "UTC" },
    ]);
    await writeAllEvents();
    expect(await readDates(merchantId)).toHaveLength(2);
  });

  it("catches up on three missed days in order, even for a wallet without entries today", async () => {
    const missed = [daysAgo(3), daysAgo(2), daysAgo(1)];
    const { merchantId } = await createMerchant(daysAgo(3), missed);
    await writeAllEvents();
    expect(await readDates(merchantId)).toEqual(missed);
  });

  it("names the wallet of held money in the same way as reports", async () => {
    const { merchantId } = await createMerchant(daysAgo(1), []);
    const hold = await prisma.account.findFirstOrThrow({ where: { merchantId, kind: "hold" } });
    await plant(hold.id, [daysAgo(1)]);
    await sandbox.plantRows(`SET session_replication_role = replica;
      UPDATE report_cursors SET next_date = '${daysAgo(1)}' WHERE account_id = '${hold.id}'`);
    await writeAllEvents();
    expect(await readEvents(merchantId)).toMatchObject([{ wallet: `EUR${HELD_SUFFIX}` }]);
  });

  it("covers a new wallet from the day of its creation", async () => {
    const { wallets } = await addPartner(sandbox, { wallets: { EUR: 0n } });
    const cursor = await prisma.reportCursor.findUniqueOrThrow({ where: { accountId: String(wallets.EUR) } });
    expect(cursor.nextDate.toISOString().slice(0, 10)).toBe(TODAY);
  });

  it("is written once per wallet and day by ten concurrent callers", async () => {
    const merchants = await Promise.all(
      Array.from({ length: 5 }, () => createMerchant(daysAgo(4), [daysAgo(4), daysAgo(3), daysAgo(1)])),
    );
    await Promise.all(Array.from({ length: 10 }, writeAllEvents));
    await writeAllEvents();
    for (const { merchantId } of merchants)
      expect(await readDates(merchantId)).toEqual([daysAgo(4), daysAgo(3), daysAgo(1)]);
  });

  it("is written exactly once, even if a process ends before its transaction commits", async () => {
    const { merchantId } = await createMerchant(daysAgo(2), [daysAgo(2), daysAgo(1)]);
    const client = await pool.connect();
    client.on("error", () => undefined);
    await client.query("BEGIN");
    await client.query("SELECT write_report_events(10)");
    // Another worker neither waits for the transaction nor writes the event.
    expect(await writeEvents()).toBe(0);
    await sandbox.executeAsSuperuser(
      `SELECT pg_terminate_backend(${(await client.query("SELECT pg_backend_pid() AS pid")).rows[0].pid})`,
    );
    client.release(true);
    await waitUntil("the lock of the ended transaction is released", async () => (await writeEvents()) > 0);
    await writeAllEvents();
    expect(await readDates(merchantId)).toEqual([daysAgo(2), daysAgo(1)]);
  });

  it("follows the events of earlier days, even if its transaction began first", async () => {
    const { merchantId } = await createMerchant(daysAgo(2), [daysAgo(2), daysAgo(1)]);
    const early = await pool.connect();
    await early.query("BEGIN");
    await early.query("SELECT pg_current_xact_id()");
    expect(await writeEvents()).toBeGreaterThan(0);
    await early.query("SELECT write_report_events(10)");
    await early.query("COMMIT");
    early.release();
    expect(await readDates(merchantId)).toEqual([daysAgo(2), daysAgo(1)]);
  });

  it("waits while a transaction that may still book an entry of the day has locked the wallet", async () => {
    const { merchantId, wallet } = await createMerchant(daysAgo(1), [daysAgo(1)]);
    const booking = await pool.connect();
    await booking.query("BEGIN");
    await booking.query("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [wallet]);
    await writeAllEvents();
    expect(await readDates(merchantId)).toEqual([]);
    await booking.query("ROLLBACK");
    booking.release();
    await writeAllEvents();
    expect(await readDates(merchantId)).toEqual([daysAgo(1)]);
  });

  it("cannot be inserted with SQL a second time, or for another merchant or mode", async () => {
    const { merchantId, wallet } = await createMerchant(daysAgo(1), [daysAgo(2), daysAgo(1)]);
    await writeAllEvents();
    const insert = (merchant: string, date: string, mode = "sandbox") =>
      pool.query(
        "INSERT INTO events (mode, merchant_id, name, account_id, report_date) VALUES ($4, $1, 'report.ready', $2, $3)",
        [merchant, wallet, date, mode],
      );
    await expect(insert(merchantId, daysAgo(1))).rejects.toMatchObject({
      constraint: "events_once_per_report",
    });
    const other = await createMerchant(TODAY, []);
    await expect(insert(other.merchantId, daysAgo(2))).rejects.toMatchObject({ code: "TG096" });
    await expect(insert(merchantId, daysAgo(2), "live")).rejects.toMatchObject({ code: "TG096" });
    expect(await readDates(merchantId)).toEqual([daysAgo(1)]);
  });

  it("is delivered only to endpoints that subscribe to it", async () => {
    const { merchantId } = await createMerchant(daysAgo(1), [daysAgo(1)]);
    const subscribed = await addReceiver(merchantId, ["report.ready"]);
    await addReceiver(merchantId, ["pos.order.paid", "payout.completed", "refund.completed"]);
    await writeAllEvents();
    const deliveries = await prisma.delivery.findMany({
      where: { event: { merchantId, name: "report.ready" } },
    });
    expect(deliveries.map(({ receiverId }) => receiverId)).toEqual([subscribed.id]);
  });

  it("is listed by GET /events only if the types parameter includes it", async () => {
    const { merchantId } = await createMerchant(daysAgo(1), [daysAgo(1)]);
    await writeAllEvents();
    const api = payApi(server, await addCredential(sandbox, merchantId, "sandbox"));
    const list = async (query: Record<string, string>) =>
      eventListResponseSchema.parse((await api.get("/events", query)).body).data.events;
    await waitUntil(
      "the event can be listed",
      async () => (await list({ types: "report.ready" })).length === 1,
    );
    expect(await list({ types: "pos.order.paid,report.ready" })).toMatchObject([
      { event: "report.ready", order_id: null },
    ]);
    expect(await list({})).toEqual([]);
  });

  it("is included in a replay to a URL only if the replay names it", async () => {
    const { merchantId } = await createMerchant(daysAgo(1), [daysAgo(1)]);
    await writeAllEvents();
    const api = payApi(server, await addCredential(sandbox, merchantId, "sandbox"));
    const preview = async (fields: Record<string, unknown>) =>
      replayPreviewResponseSchema.parse(
        (
          await api.post("/webhooks/replays/preview", {
            callback_url: "https://shop.example/hook",
            ...fields,
          })
        ).body,
      ).data.total;
    expect(await preview({})).toBe(0);
    expect(await preview({ events: ["report.ready"] })).toBe(1);
  });

  it("is not written while the database's clock is ahead of the worker's", async () => {
    const { merchantId } = await createMerchant(daysAgo(2), [daysAgo(2), daysAgo(1)]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 60 * 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    const listener = startListener({ directUrl: sandbox.url, log: server.context.log });
    const worker = startWorkers(server.context, listener);
    try {
      await delay(1_000);
      expect(await readDates(merchantId)).toEqual([]);
    } finally {
      await worker.close();
      await listener.close();
    }
  });

  it("is written once by two workers, and passes the event rule of the ledger proof", async () => {
    const { merchantId } = await createMerchant(daysAgo(2), [daysAgo(2), daysAgo(1)]);
    const listener = startListener({ directUrl: sandbox.url, log: server.context.log });
    const workers = [startWorkers(server.context, listener), startWorkers(server.context, listener)];
    try {
      await waitUntil(
        "both events are written",
        async () => (await readDates(merchantId)).length === 2,
        20_000,
      );
    } finally {
      await Promise.all(workers.map((worker) => worker.close()));
      await listener.close();
    }
    expect(await readDates(merchantId)).toEqual([daysAgo(2), daysAgo(1)]);
    const { rules } = await proveLedger(sandbox.url);
    const compared = rules.find(({ rule }) => rule.startsWith("9. Every event matches"));
    expect(compared?.violations).toEqual([]);
  });
});
