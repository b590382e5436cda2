import { randomUUID } from "node:crypto";
import type pg from "pg";

type Mode = "sandbox" | "live";

/**
 * Puts money into a wallet from outside: in live mode as administrators do, two of them above the limit for one.
 * `minor` in the wallet's currency.
 */
export async function depositFunds(pool: pg.Pool, mode: Mode, wallet: string, minor: bigint): Promise<void> {
  if (mode === "sandbox") {
    await pool.query(
      `SELECT move_between_wallets($1, mode, 'deposit', currency, account_of(mode, currency, 'funding'), id, $3, $4)
       FROM accounts WHERE id = $2`,
      [randomUUID(), wallet, minor, `test ${wallet}`],
    );
    return;
  }
  // A second administrator is admitted without others; a third would not be.
  for (const email of ["first@example.com", "second@example.com"])
    await pool.query(
      `INSERT INTO console_users (id, email, role, password_hash) SELECT gen_random_uuid(), $1, 'administrator', 'x'
       WHERE (SELECT count(*) FROM console_users WHERE role = 'administrator') < 2`,
      [email],
    );
  const { rows: administrators } = await pool.query<{ id: string }>(
    "SELECT id FROM console_users WHERE role = 'administrator' ORDER BY created_at LIMIT 2",
  );
  const [asks, decides] = administrators.map(({ id }) => id);
  const request = randomUUID();
  const { rows: moved } = await pool.query<{ outcome: string }>(
    "SELECT outcome FROM move_funds('deposit', $1, 'funding', $2, $3, $4, $5, $6)",
    [wallet, minor, `test ${wallet}`, randomUUID(), request, asks],
  );
  // Up to the limit, which a test may have raised, one administrator moves money alone.
  if (moved[0]?.outcome === "requested")
    await pool.query("SELECT decide_request($1, true, $2, $3)", [request, randomUUID(), decides]);
}
