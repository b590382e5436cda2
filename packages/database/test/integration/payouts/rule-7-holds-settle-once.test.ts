import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proveLedger } from "../../../src/prove-ledger.js";
import { codeOf, outcomeOf, paidOrder, refundPayment, settleRefund } from "../../ledger-calls.js";
import {
  balanceOf,
  countOf,
  openSandboxDatabase,
  record,
  type SandboxDatabase,
} from "../../sandbox-database.js";
import { executePayout, holdAccount, settlePayout } from "./payout-calls.js";

let database: SandboxDatabase;
let hold: string;

beforeAll(async () => {
  database = await openSandboxDatabase(20);
  hold = await holdAccount(database);
});
afterAll(async () => {
  const { rules } = await proveLedger(database.url);
  await database.drop();
  expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([]);
});

const run = (sql: string, ...values: unknown[]) => database.pool.query(sql, values);
const needApproval = (needed: boolean) =>
  run("UPDATE merchants SET refunds_need_approval = $2 WHERE id = $1", database.merchant.id, needed);
/** Changes a payout without the SQL functions, in one statement. */
const change = (id: string, set: string) => codeOf(run(`UPDATE payouts SET ${set} WHERE id = $1`, id));

describe("rule 7 (a hold is settled or released exactly once)", () => {
  it.each([true, false])(
    "rejects a second settlement and moves nothing (first settlement approves: %s)",
    async (first) => {
      const { id } = await executePayout(database, { waits: true });
      expect(await balanceOf(database, hold)).toBe(1_030n);
      await settlePayout(database, id, first);
      const transfers = await countOf(database, "transfers");
      for (const second of [true, false])
        expect(await codeOf(settlePayout(database, id, second))).toBe("TG044");
      expect(await countOf(database, "transfers")).toBe(transfers);
      expect(await balanceOf(database, hold)).toBe(0n);
    },
  );

  it.each([true, false])(
    "rejects any update of a decided payout, even an update without changes (approved: %s)",
    async (decision) => {
      const { id } = await executePayout(database, { waits: true });
      await settlePayout(database, id, decision);
      for (const set of [
        "status = status",
        "status = 'pending', processed_at = NULL, transfer_id = NULL, trx_id = NULL",
        "status = 'completed', trx_id = 'PP1'",
        "description = 'other'",
        "processed_at = clock_timestamp()",
        "transfer_id = hold_transfer_id",
      ])
        expect(await change(id, set)).toBe("TG094");
      const { id: direct } = await executePayout(database);
      expect(await change(direct, "status = 'failed', trx_id = NULL")).toBe("TG094");
    },
  );

  it("rejects changes to the terms and the hold of a pending payout", async () => {
    const { id } = await executePayout(database, { waits: true });
    const other = await executePayout(database, { waits: true });
    for (const set of [
      "amount = amount - 1",
      "fee = 0",
      "rate = 2, receiver_currency = 'USD'",
      "receiver_amount = 1",
      "reference = 'other'",
      "created_at = created_at - interval '1 day'",
      "quote_id = gen_random_uuid()",
      "merchant_id = gen_random_uuid()",
      `hold_transfer_id = '${other.hold_transfer_id}'`,
    ])
      expect(await change(id, set)).toBe("TG094");
    await settlePayout(database, id, false);
    await settlePayout(database, other.id, true);
  });

  it("rejects settling a payout without a transfer, with another payout's transfer, or with the transfer of its hold", async () => {
    const { id, hold_transfer_id } = await executePayout(database, { waits: true });
    const settled = await executePayout(database);
    const done = "status = 'completed', trx_id = 'PP0', processed_at = clock_timestamp()";
    expect(await outcomeOf(run(`UPDATE payouts SET ${done} WHERE id = $1`, id))).toMatchObject({
      constraint: "payouts_settled_moved_money",
    });
    expect(
      await outcomeOf(
        run(`UPDATE payouts SET ${done}, transfer_id = $2 WHERE id = $1`, id, settled.transfer_id),
      ),
    ).toMatchObject({ constraint: "payouts_one_per_transfer" });
    expect(
      await codeOf(run(`UPDATE payouts SET ${done}, transfer_id = $2 WHERE id = $1`, id, hold_transfer_id)),
    ).toBe("TG096");
    expect(await outcomeOf(run("UPDATE payouts SET status = 'failed' WHERE id = $1", id))).toMatchObject({
      constraint: expect.stringMatching(/^payouts_/),
    });
    await settlePayout(database, id, true);
  });

  it("rejects a payout settled by the transfer that returned a refund's hold", async () => {
    await needApproval(true);
    const refund = await refundPayment(database, await paidOrder(database));
    await settleRefund(database, refund.id, false);
    await needApproval(false);
    const { id } = await executePayout(database, { waits: true });
    const settle = run(
      `UPDATE payouts SET status = 'failed', processed_at = clock_timestamp(),
         transfer_id = (SELECT transfer_id FROM refunds WHERE id = '${refund.id}') WHERE id = '${id}';
       SELECT emit_event(mode, merchant_id, 'payout.failed', NULL, NULL, id) FROM payouts WHERE id = '${id}'`,
    );
    expect(await codeOf(settle)).toBe("TG096");
    await settlePayout(database, id, false);
  });

  it("subtracts a rejected payout's amount only from the usage of its merchant, mode, currency, day and month", async () => {
    const { id } = await executePayout(database, { waits: true });
    const { rowCount } = await run(
      `INSERT INTO payout_usage (merchant_id, mode, currency, period, starts_on, amount)
       SELECT merchant::uuid, mode::mode, currency, period::usage_period, (now() AT TIME ZONE 'UTC')::date - days, 7
       FROM (VALUES ($2, 'sandbox', 'EUR', 'day', 0), ($1, 'live', 'EUR', 'day', 0), ($1, 'sandbox', 'USD', 'day', 0),
         ($1, 'sandbox', 'EUR', 'month', 0), ($1, 'sandbox', 'EUR', 'day', 1)) AS other (merchant, mode, currency, period, days)
       ON CONFLICT DO NOTHING`,
      database.merchant.id,
      database.otherMerchant.id,
    );
    await settlePayout(database, id, false);
    expect(await countOf(database, "payout_usage WHERE amount = 7")).toBe(rowCount);
    await database.ownerPool.query("DELETE FROM payout_usage WHERE amount = 7");
  });

  it("rejects settling a payout that does not exist", async () => {
    expect(await codeOf(settlePayout(database, "POAAAAAAAA", true))).toBe("TG003");
  });

  it("rejects deleting or truncating payouts", async () => {
    const { id } = await executePayout(database);
    for (const statement of [`DELETE FROM payouts WHERE id = '${id}'`, "TRUNCATE payouts CASCADE"])
      expect(await codeOf(database.ownerPool.query(statement))).toBe("TG090");
  });

  it("rejects a change to a hold's balance without entries, and entries that take the balance below zero", async () => {
    expect(await codeOf(run("UPDATE accounts SET balance = 5 WHERE id = $1", hold))).toBe("TG092");
    const { id } = await executePayout(database, { waits: true });
    const more = run(
      "SELECT move_between_wallets(gen_random_uuid(), 'sandbox', 'hold_return', 'EUR', $1, $2, 1031, NULL)",
      hold,
      record(database.merchant.wallets, "EUR"),
    );
    expect(await codeOf(more)).toBe("TG020");
    await settlePayout(database, id, false);
  });

  it("creates a hold account with every merchant wallet", async () => {
    const without = `accounts w WHERE kind = 'merchant' AND NOT EXISTS (SELECT FROM accounts h WHERE h.kind = 'hold'
      AND (h.merchant_id, h.mode, h.currency) = (w.merchant_id, w.mode, w.currency))`;
    expect(await countOf(database, without)).toBe(0);
    await run(
      "INSERT INTO accounts (id, mode, currency, kind, merchant_id, balance) VALUES (gen_random_uuid(), 'live', 'KWD', 'merchant', $1, 0)",
      database.merchant.id,
    );
    expect(await countOf(database, without)).toBe(0);
  });

  it("holds the amount of a pending refund, and accepts only one of several concurrent decisions on it", async () => {
    await needApproval(true);
    const order = await paidOrder(database);
    const refund = await refundPayment(database, order, { amount: 250n });
    expect(await balanceOf(database, hold)).toBe(250n);
    const settle = (approve: boolean) => codeOf(settleRefund(database, refund.id, approve));
    const decisions = await Promise.all([true, false, true, false].map(settle));
    expect(decisions.sort()).toEqual(["TG044", "TG044", "TG044", "done"]);
    expect(await balanceOf(database, hold)).toBe(0n);
    await needApproval(false);
  });
});
