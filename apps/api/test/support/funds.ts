import { randomUUID } from "node:crypto";
import { callOne, ledger } from "@tillgate/database";
import type pg from "pg";

type Mode = "sandbox" | "live";

/**
 * Deposits money into a wallet. In live mode, an administrator books it, and a second administrator approves
 * it if it exceeds the single-approver limit.
 * @param minor in minor units of the wallet's currency
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
  // Creating the first two administrators requires no approval.
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
  // Without a request, the amount is within the single-approver limit, which tests may raise.
  if (outcome === "requested")
    await callOne(pool, ledger.decideRequest, {
      requestId: request,
      approve: true,
      transferId: randomUUID(),
      administratorId: decides,
    });
}

/** Reverses a deposit or withdrawal with the SQL that an administrator would run. */
export async function reverseFunds(pool: pg.Pool, transferId: string): Promise<void> {
  await pool.query(
    `WITH made AS (INSERT INTO transfers (id, mode, kind, corrects, external_reference)
       SELECT gen_random_uuid(), mode, kind, id, 'correction of ' || id FROM transfers WHERE id = $1 RETURNING id)
     INSERT INTO entries (transfer_id, account_id, mode, currency, amount)
     SELECT made.id, account_id, mode, currency, -amount FROM entries, made WHERE transfer_id = $1`,
    [transferId],
  );
}
