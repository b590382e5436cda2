import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callOne } from "../../../src/functions/ledger-function.js";
import * as ledger from "../../../src/ledger.js";
import { proveLedger } from "../../../src/prove-ledger.js";
import { codeOf } from "../../ledger-calls.js";
import { balanceOf, openSandboxDatabase, record, type SandboxDatabase } from "../../sandbox-database.js";

describe("a shopper's conversions and top-ups", () => {
  let database: SandboxDatabase;
  let euros: string;
  let samuel: string;
  let rate: string;

  beforeAll(async () => {
    database = await openSandboxDatabase();
    euros = record(record(database.shoppers, "Samuel"), "EUR");
    const one = async (sql: string) => String((await database.pool.query<{ one: string }>(sql)).rows[0]?.one);
    samuel = await one(`SELECT wallet_user_id AS one FROM accounts WHERE id = '${euros}'`);
    rate = await one(
      `SELECT trim_scale(rate * (100 - spread_percent) / 100)::text AS one FROM exchange_rates WHERE mode = 'sandbox' AND base = 'EUR'
         AND quote = 'USD' AND effective_from <= now() ORDER BY effective_from DESC, created_at DESC LIMIT 1`,
    );
    await topUp("the beginning", 100_000n);
  });
  afterAll(async () => {
    const { rules } = await proveLedger(database.url);
    expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([]);
    await database.drop();
  });

  const topUp = (
    key: string,
    amount = 500n,
    of: { walletUserId?: string; mode?: "live" | "sandbox"; currency?: string } = {},
  ) =>
    callOne(database.pool, ledger.topUpShopper, {
      walletUserId: samuel,
      mode: "sandbox",
      currency: "EUR",
      amount,
      key,
      transferId: randomUUID(),
      ...of,
    });
  /** Quotes some euros in dollars, a currency in which Samuel has no wallet yet. */
  async function quoteConversion(cents: bigint, seconds = 300): Promise<{ id: string; gets: bigint }> {
    const id = randomUUID();
    const { rows } = await database.pool.query<{ gets: bigint }>(
      `INSERT INTO conversions (id, mode, wallet_user_id, from_currency, from_amount, to_currency, to_amount, rate, created_at, expires_at)
       VALUES ($1, 'sandbox', $2, 'EUR', $3::bigint, 'USD', floor($3::bigint * $4::numeric), $4, clock_timestamp(),
         clock_timestamp() + make_interval(secs => $5)) RETURNING to_amount AS gets`,
      [id, samuel, cents, rate, seconds],
    );
    return { id, gets: BigInt(rows[0]?.gets ?? 0) };
  }
  const make = (conversionId: string, walletUserId = samuel) =>
    callOne(database.pool, ledger.convertMoney, { conversionId, walletUserId, transferId: randomUUID() });
  const dollars = async (): Promise<bigint> => {
    const { rows } = await database.pool.query<{ balance: string }>(
      "SELECT balance::text FROM accounts WHERE wallet_user_id = $1 AND currency = 'USD'",
      [samuel],
    );
    return BigInt(rows[0]?.balance ?? 0);
  };

  it("book one conversion for concurrent confirmations, and return it to every caller", async () => {
    const [before, beforeDollars] = [await balanceOf(database, euros), await dollars()];
    const { id, gets } = await quoteConversion(1_000n);
    const created = await Promise.all(Array.from({ length: 8 }, () => make(id)));
    expect(new Set(created).size).toBe(1);
    expect(await make(id)).toBe(created[0]);
    expect(await balanceOf(database, euros)).toBe(before - 1_000n);
    expect(await dollars()).toBe(beforeDollars + gets);
  });

  it("let one of two concurrent conversions of the same balance fail", async () => {
    const all = await balanceOf(database, euros);
    const quoted = [await quoteConversion(all), await quoteConversion(all)];
    const codes = await Promise.all(quoted.map(({ id }) => codeOf(make(id))));
    expect(codes.sort()).toEqual(["TG020", "done"]);
    await topUp("after all went", 100_000n);
  });

  it("reject a conversion that is expired, another shopper's, a deactivated shopper's, or in an inactive currency", async () => {
    const { id } = await quoteConversion(100n);
    expect(await codeOf(make(id, randomUUID()))).toBe("TG051");
    await database.pool.query("UPDATE wallet_users SET active = false WHERE id = $1", [samuel]);
    expect(await codeOf(make(id))).toBe("TG053");
    expect(await codeOf(topUp("inactive"))).toBe("TG053");
    await database.pool.query("UPDATE wallet_users SET active = true WHERE id = $1", [samuel]);
    await database.pool.query("UPDATE currencies SET active = false WHERE code = 'USD'");
    expect(await codeOf(make(id))).toBe("TG053");
    await database.pool.query("UPDATE currencies SET active = true WHERE code = 'USD'");
    await database.pool.query(
      "UPDATE conversions SET expires_at = clock_timestamp() - interval '1 second' WHERE id = $1",
      [id],
    );
    expect(await codeOf(make(id))).toBe("TG052");
  });

  it("book a top-up once per key and amount, even concurrently", async () => {
    const before = await balanceOf(database, euros);
    const created = await Promise.all(Array.from({ length: 6 }, () => topUp("one key")));
    expect(new Set(created).size).toBe(1);
    expect(await topUp("one key", 700n)).not.toBe(created[0]);
    expect(await balanceOf(database, euros)).toBe(before + 1_200n);
  });

  it("reject a top-up in live mode, of zero, for a test shopper, or in an unknown currency", async () => {
    const { pool } = database;
    const { rows } = await pool.query<{ live: string; tester: string }>(
      `INSERT INTO wallet_users (id, mode, name, email) VALUES (gen_random_uuid(), 'live', 'Live', 'live@example.com') RETURNING id AS live,
         (SELECT id FROM wallet_users WHERE test_of_merchant_id IS NOT NULL LIMIT 1) AS tester`,
    );
    const live = rows[0]?.live ?? "";
    expect(await codeOf(topUp("live", 1n, { walletUserId: live, mode: "live" }))).toBe("TG053");
    expect(await codeOf(topUp("wrong mode", 1n, { mode: "live" }))).toBe("TG053");
    expect(await codeOf(topUp("tester", 1n, { walletUserId: rows[0]?.tester ?? "" }))).toBe("TG053");
    expect(await codeOf(topUp("nothing", 0n))).toBe("22023");
    expect(await codeOf(topUp("unknown", 1n, { currency: "ZZZ" }))).toBe("TG053");
  });
});
