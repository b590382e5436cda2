import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { paidOrder } from "../ledger-calls.js";
import { openSandboxDatabase, record, type SandboxDatabase } from "../sandbox-database.js";

let database: SandboxDatabase;
let wallet: string;
beforeAll(async () => {
  database = await openSandboxDatabase();
  wallet = record(database.merchant.wallets, "EUR");
});
afterAll(() => database.drop());

/** Shifts the dates of all booked transfers, as if a server with a wrong clock had written them. */
const shiftClock = (minutes: number) =>
  database.breaking(async (client) => {
    await client.query("UPDATE transfers SET created_at = created_at + make_interval(mins => $1)", [minutes]);
  });
const read = async <Value>(expression: string, values: unknown[] = []): Promise<Value | undefined> => {
  const { rows } = await database.pool.query<{ value: Value }>(`SELECT ${expression} AS value`, values);
  return rows[0]?.value;
};
/** Returns how far the date of the last booked transfer is ahead of the clock, in whole minutes. */
const readLead = () =>
  read<number>(
    "round(extract(epoch FROM (SELECT created_at FROM transfers WHERE id = (SELECT transfer_id FROM entries ORDER BY id DESC LIMIT 1)) - clock_timestamp()) / 60)::int",
  );
const isClosed = (minutesAgo: number) =>
  read<boolean>("period_is_closed($1, clock_timestamp() - make_interval(mins => $2))", [wallet, minutesAgo]);

describe("the ledger after a failover from a server whose clock was ahead", () => {
  beforeEach(async () => {
    await paidOrder(database);
  });

  it("never dates new entries before earlier entries", async () => {
    await shiftClock(10);
    await paidOrder(database);
    expect(await readLead()).toBe(10);
    await shiftClock(-10);
  });

  it("doesn't change the first entry of a day", async () => {
    await shiftClock(10);
    const end = await read<Date>("clock_timestamp() + interval '5 minutes'");
    const readFirst = () => read<bigint>("first_entry_since($1, $2)", [wallet, end]);
    const first = await readFirst();
    for (let of = 0; of < 40; of += 1) {
      await paidOrder(database);
      expect(await readFirst()).toBe(first);
    }
    await shiftClock(-10);
  });

  it.each([
    ["60 minutes", true],
    ["60 minutes 1 microsecond", false],
  ])("dates a transfer like the last booked one if that is %s ahead: %s", async (ahead, moved) => {
    const client = await database.ownerPool.connect();
    try {
      await client.query("BEGIN");
      const { rows } = await client.query(
        `WITH latest AS (
           SELECT created_at FROM transfers WHERE id = (SELECT transfer_id FROM entries ORDER BY id DESC LIMIT 1)
         ), dated AS (
           INSERT INTO transfers (id, mode, kind, created_at)
           SELECT gen_random_uuid(), 'sandbox', 'deposit', created_at - $1::interval FROM latest RETURNING created_at
         )
         SELECT dated.created_at = latest.created_at AS moved FROM dated, latest`,
        [ahead],
      );
      expect(rows).toEqual([{ moved }]);
    } finally {
      await client.query("ROLLBACK");
      client.release();
    }
  });

  it("dates new entries correctly if the clock was more than an hour ahead", async () => {
    await shiftClock(61);
    await paidOrder(database);
    expect(await readLead()).toBe(0);
    await database.breaking(async (client) => {
      await client.query("UPDATE transfers SET created_at = clock_timestamp()");
    });
  });
});

describe("a day of a wallet without later entries", () => {
  it("is closed once a later transfer is booked, or an hour after its end", async () => {
    expect(await isClosed(2)).toBe(true);
    await shiftClock(-1_440);
    expect([await isClosed(2), await isClosed(59), await isClosed(61)]).toEqual([false, false, true]);
  });
});

describe("a day reopened because the clock was set back", () => {
  it("is not skipped by the report cursor", async () => {
    await paidOrder(database);
    const yesterday = await read<string>("(current_date - 1)::text");
    await database.breaking(async (client) => {
      await client.query("BEGIN");
      await client.query(`
        UPDATE transfers SET created_at = created_at - interval '1 day';
        UPDATE report_cursors SET next_date = CASE WHEN account_id = '${wallet}' THEN '${yesterday}' ELSE current_date END;
        CREATE SEQUENCE calls;
        CREATE OR REPLACE FUNCTION period_is_closed(p_account_id uuid, p_end timestamptz) RETURNS boolean LANGUAGE sql
          AS 'SELECT nextval(''calls'') = 1'`);
      await client.query("SELECT write_report_events(10)");
      const { rows } = await client.query<{ day: string }>(
        "SELECT next_date::text AS day FROM report_cursors WHERE account_id = $1",
        [wallet],
      );
      await client.query("ROLLBACK");
      expect(rows).toEqual([{ day: yesterday }]);
    });
  });
});
