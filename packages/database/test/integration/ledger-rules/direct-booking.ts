import { randomUUID } from "node:crypto";
import type { SandboxDatabase } from "../../sandbox-database.js";

export type Line = { currency: string; account: string; amount: bigint; mode?: "sandbox" | "live" };

/** Returns entries of one currency, from pairs of account and minor units. */
export const lines = (currency: string, ...pairs: [account: string, amount: bigint][]): Line[] =>
  pairs.map(([account, amount]) => ({ currency, account, amount }));

/**
 * Writes a transfer and its entries without the SQL functions, in one transaction.
 * @param statements the entries of each INSERT, in order.
 * @returns the transfer's ID.
 */
export async function book(
  database: SandboxDatabase,
  statements: Line[][],
  transfer: { mode?: "sandbox" | "live"; kind?: string; corrects?: string } = {},
): Promise<string> {
  const id = randomUUID();
  const { mode = "sandbox", kind = "deposit" } = transfer;
  const client = await database.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query(
      "INSERT INTO transfers (id, mode, kind, corrects, external_reference) VALUES ($1, $2, $3, $4, $5)",
      [
        id,
        mode,
        kind,
        transfer.corrects ?? null,
        kind === "deposit" || kind === "withdrawal" ? `by hand ${id}` : null,
      ],
    );
    for (const statement of statements)
      await client.query(
        `INSERT INTO entries (transfer_id, account_id, mode, currency, amount)
         SELECT $1, account::uuid, mode::mode, currency, amount FROM
           unnest($2::text[], $3::text[], $4::text[], $5::bigint[]) AS line (account, mode, currency, amount)`,
        [
          id,
          statement.map(({ account }) => account),
          statement.map((line) => line.mode ?? mode),
          statement.map(({ currency }) => currency),
          statement.map(({ amount }) => amount),
        ],
      );
    await client.query("COMMIT");
    return id;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}
