import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { cycle, mapInBatches } from "./calls.js";
import { CALLERS, directly, type Side } from "./load.js";

const NEEDS = ["ulid-to-uuid.sql", "uuid-to-ulid.sql"].map((file) => `vendor/scoville-pgsql-ulid/${file}`);
const ACCOUNTS = 64;

/**
 * Installs pgledger (github.com/pgr0ss/pgledger) in an empty database.
 * @param script path of pgledger.sql in a checkout of its repository.
 */
export async function openPgledger(
  databaseUrl: string,
  script: string,
): Promise<{ side: Side; close(): Promise<void> }> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CALLERS });
  for (const file of [...NEEDS.map((statement) => path.join(path.dirname(script), statement)), script])
    await pool.query(await readFile(file, "utf8"));
  const createAccounts = (side: string) =>
    mapInBatches(
      Array.from({ length: ACCOUNTS }, (_, number) => `${side} ${number}`),
      async (name) => {
        const accounts = await pool.query<{ id: string }>(
          "SELECT id FROM pgledger_create_account($1, 'EUR')",
          [name],
        );
        return accounts.rows[0]?.id;
      },
    );
  const from = cycle(await createAccounts("merchant"));
  const to = cycle(await createAccounts("shopper"));
  const transfer = () =>
    pool.query({
      name: "bench pgledger",
      text: "SELECT id FROM pgledger_create_transfer($1, $2, 1)",
      values: [from(), to()],
    });
  return { side: directly(transfer), close: () => pool.end() };
}
