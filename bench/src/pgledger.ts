import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { inBatches, turns } from "./calls.js";
import { CALLERS, directly, type Side } from "./load.js";

/** The functions that pgledger.sql needs, from beside it. */
const NEEDS = ["ulid-to-uuid.sql", "uuid-to-ulid.sql"].map((file) => `vendor/scoville-pgsql-ulid/${file}`);
/** As many as the bench has merchants and shoppers. */
const ACCOUNTS = 64;

/**
 * Puts pgledger (github.com/pgr0ss/pgledger) into an empty database.
 * @param script its pgledger.sql, in a copy of its repository.
 * @returns transfers between accounts in turns, and how to end it.
 */
export async function openPgledger(
  databaseUrl: string,
  script: string,
): Promise<{ side: Side; close(): Promise<void> }> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CALLERS });
  for (const file of [...NEEDS.map((needed) => path.join(path.dirname(script), needed)), script])
    await pool.query(await readFile(file, "utf8"));
  const accountsOf = (side: string) =>
    inBatches(
      Array.from({ length: ACCOUNTS }, (_, number) => `${side} ${number}`),
      async (name) => {
        const made = await pool.query<{ id: string }>("SELECT id FROM pgledger_create_account($1, 'EUR')", [
          name,
        ]);
        return made.rows[0]?.id;
      },
    );
  const from = turns(await accountsOf("merchant"));
  const to = turns(await accountsOf("shopper"));
  const transfer = () =>
    pool.query({
      name: "bench pgledger",
      text: "SELECT id FROM pgledger_create_transfer($1, $2, 1)",
      values: [from(), to()],
    });
  return { side: directly(transfer), close: () => pool.end() };
}
