import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setRates } from "../ledger-calls.js";
import { openSandboxDatabase, type SandboxDatabase } from "../sandbox-database.js";

let database: SandboxDatabase;

beforeAll(async () => {
  database = await openSandboxDatabase();
});
afterAll(() => database.drop());

const OLD = "999.999999";
const NEW = "700";

/** Sets the old rate, effective from a day ago, and the new rate, effective from `interval` after the current minute. */
async function setBoth(base: string, interval: string): Promise<void> {
  for (const [rate, at] of [
    [OLD, "-1 day"],
    [NEW, interval],
  ])
    await database.pool.query(
      setRates(
        "SELECT 'sandbox'::mode, $1::text, 'XAF', $2::numeric, 0, date_trunc('minute', now()) + $3::interval",
      ),
      [base, rate, at],
    );
}

/**
 * Returns whether a rate was in effect at a time.
 * @param time column of the new rate (or of the rate `of`) from which `interval` is counted.
 */
async function wasInEffect(base: string, rate: string, time: string, interval: string, of = NEW) {
  const { rows } = await database.pool.query<{ valid: boolean }>(
    `SELECT rate_was_in_effect('sandbox', $1, 'XAF', $2, ${time} + $3::interval) AS valid FROM exchange_rates
     WHERE mode = 'sandbox' AND base = $1 AND quote = 'XAF' AND rate = $4 LIMIT 1`,
    [base, rate, interval, of],
  );
  return rows[0]?.valid;
}

describe("rate_was_in_effect", () => {
  it("accepts a rate from the moment it takes effect", async () => {
    await setBoth("USD", "1 hour");
    expect(await wasInEffect("USD", NEW, "effective_from", "0")).toBe(true);
    expect(await wasInEffect("USD", NEW, "effective_from", "-1 microsecond")).toBe(false);
  });

  it("accepts a replaced rate for less than ten minutes after the next rate takes effect", async () => {
    await setBoth("EUR", "1 hour");
    expect(await wasInEffect("EUR", OLD, "effective_from", "10 minutes -1 microsecond")).toBe(true);
    expect(await wasInEffect("EUR", OLD, "effective_from", "10 minutes")).toBe(false);
  });

  it("accepts a replaced rate for less than ten minutes after the next rate is set with an effective date in the past", async () => {
    await setBoth("KWD", "-1 hour");
    expect(await wasInEffect("KWD", OLD, "created_at", "10 minutes -1 microsecond")).toBe(true);
    expect(await wasInEffect("KWD", OLD, "created_at", "10 minutes")).toBe(false);
  });

  it("tolerates a difference of a billionth, and no more", async () => {
    await setBoth("USD", "2 hours");
    expect(await wasInEffect("USD", "1000", "effective_from", "1 hour", OLD)).toBe(true);
    expect(await wasInEffect("USD", "1000.0000000011", "effective_from", "1 hour", OLD)).toBe(false);
  });

  it("compares only rates of the same mode, base and quote", async () => {
    await database.pool.query(
      setRates(
        `SELECT mode::mode, base, quote, rate, 0, now() - age::interval FROM (VALUES ('sandbox', 'JPY', 'KWD', 5, '1 day'),
           ('live', 'JPY', 'KWD', 6, '1 hour'), ('sandbox', 'EUR', 'KWD', 7, '1 hour'), ('sandbox', 'JPY', 'EUR', 8, '1 hour'))
           AS given (mode, base, quote, rate, age)`,
      ),
    );
    const { rows } = await database.pool.query(
      `SELECT array_agg(rate) AS valid FROM generate_series(5, 8) AS rate
       WHERE rate_was_in_effect('sandbox', 'JPY', 'KWD', rate, now() + interval '1 hour')`,
    );
    expect(rows).toEqual([{ valid: [5] }]);
  });
});
