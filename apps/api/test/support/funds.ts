import { randomUUID } from "node:crypto";
import { callOne, ledger } from "@tillgate/database";
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
  const [asks = "", decides = ""] = administrators.map(({ id }) => id);
  const request = randomUUID();
  const { outcome } = await callOne(pool, ledger.moveFunds, {
    kind: "deposit",
    accountId: wallet,
    house: "funding",
    amount: minor,
    externalReference: `test ${wallet}`,
    transferId: randomUUID(),
    requestId: request,
    administratorId: asks,
  });
  // Up to the limit, which a test may have raised, one administrator moves money alone.
  if (outcome === "requested")
    await callOne(pool, ledger.decideRequest, {
      requestId: request,
      approve: true,
      transferId: randomUUID(),
      administratorId: decides,
    });
}
