import { expect, it } from "vitest";
import { runAsSuperuser } from "../../../../scripts/testing/databases.js";
import { recordAndCheck, startTwoProcesses } from "./two-processes.js";

const OPERATIONS = 20_000;
const CLIENTS = 16;
/** Enough for the control to find hundreds of anomalies. */
const CONTROL_OPERATIONS = 500;
const TIMEOUT_MS = 1_500_000;

it(
  `${OPERATIONS} payments, refunds, payouts, conversions and reads over two HTTP processes are strictly serializable`,
  async () => {
    const verdict = await recordAndCheck(await startTwoProcesses(), {
      operations: OPERATIONS,
      clients: CLIENTS,
    });
    expect(verdict.anomalies).toEqual([]);
    expect(verdict.operations).toBeGreaterThanOrEqual(OPERATIONS);
    expect(verdict.undecided).toBeLessThan(verdict.reads / 10);
  },
  TIMEOUT_MS,
);

/** Replaces a part of a database function. @throws Error if the function does not contain the part. */
const replaceInFunction = (url: string, name: string, part: string, by: string): Promise<void> =>
  runAsSuperuser(
    `DO $do$
     DECLARE
       source text := pg_get_functiondef('${name}'::regproc);
       changed text := replace(source, '${part}', '${by}');
     BEGIN
       ASSERT changed <> source;
       EXECUTE changed;
     END $do$`,
    url,
  );

it(
  "a ledger function without its row lock is detected",
  async () => {
    const address = await startTwoProcesses();
    // Some calls pause between inserting entries, which assigns their IDs, and updating balances, so that the race is frequent. With the lock, the
    // pause has no effect.
    const pause = "UPDATE accounts SET balance = balance + moved.amount";
    await replaceInFunction(
      address.superuserUrl,
      "book_entries",
      pause,
      `PERFORM pg_sleep(0.3 * (random() < 0.1)::int); ${pause}`,
    );
    await replaceInFunction(address.superuserUrl, "book_transfers", "FOR NO KEY UPDATE OF a", "");
    const { counts } = await recordAndCheck(address, { operations: CONTROL_OPERATIONS, clients: CLIENTS });
    expect(counts.size).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
