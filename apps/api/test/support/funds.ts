import { randomUUID } from "node:crypto";
import type pg from "pg";

type Mode = "sandbox" | "live";

/** Puts money into a wallet from outside: in live mode as two administrators do. `minor` in the wallet's currency. */
export async function depositFunds(pool: pg.Pool, mode: Mode, wallet: string, minor: bigint): Promise<void> {
  if (mode === "sandbox") {
    await pool.query(
      `SELECT move_between_wallets($1, mode, 'deposit', currency, account_of(mode, currency, 'funding'), id, $3, $4)
       FROM accounts WHERE id = $2`,
      [randomUUID(), wallet, minor, `test ${wallet}`],
    );
    return;
  }
  const [asks, decides, request] = [randomUUID(), randomUUID(), randomUUID()];
  await pool.query(
    `INSERT INTO console_users (id, email, role, password_hash) SELECT id, id || '@example.com', 'administrator', 'x'
     FROM unnest($1::uuid[]) AS id`,
    [[asks, decides]],
  );
  await pool.query("SELECT move_funds('deposit', $1, 'funding', $2, $3, $4, $5, $6)", [
    wallet,
    minor,
    `test ${wallet}`,
    randomUUID(),
    request,
    asks,
  ]);
  await pool.query("SELECT decide_request($1, true, $2, $3)", [request, randomUUID(), decides]);
}
