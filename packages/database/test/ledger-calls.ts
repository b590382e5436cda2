import { createHash, randomInt, randomUUID } from "node:crypto";
import pg from "pg";
import { type Merchant, record, type SandboxDatabase } from "./sandbox-database.js";

/** The columns of an order that tests look at. */
export type OrderRow = {
  id: string;
  mode: string;
  token: string;
  amount: bigint;
  currency: string;
  status: string;
  state: string;
  trx_id: string | null;
  transfer_id: string | null;
  payer_account_id: string | null;
  payer_currency: string | null;
  payer_amount: bigint | null;
  refunded: bigint;
  version: number;
};
export type RefundRow = {
  id: string;
  order_id: string;
  amount: bigint;
  status: string;
  transfer_id: string;
  payer_amount: bigint;
};

/** Either a connection of one's own (inside a transaction) or the pool. */
type Queryable = Pick<pg.Pool, "query">;

const ID_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const letters = () => Array.from({ length: 6 }, () => ID_LETTERS[randomInt(ID_LETTERS.length)]).join("");
export const newOrderId = () => `POS-20261121-${letters()}`;
export const newRefundId = () => `RF-20261121-${letters()}`;
export const newTrxId = () => `TRX-${String(randomInt(1e12)).padStart(12, "0")}`;
export const hashOf = (fields: unknown) => createHash("sha256").update(JSON.stringify(fields)).digest();

export type NewOrder = {
  merchant?: Merchant;
  mode?: "sandbox" | "live";
  amount?: bigint;
  currency?: string;
  expiresInSeconds?: number;
  reference?: string;
  terminalId?: string;
  orderNumber?: string;
  custom?: string;
  callbackUrl?: string;
  key?: string;
  /** What the key's request hash is made of; the amount when left out. */
  fields?: unknown;
};

/** `create_order` with the fields that a test cares about: 12.50 EUR of the first merchant otherwise. */
export async function createOrder(
  database: SandboxDatabase,
  order: NewOrder = {},
  queryable: Queryable = database.pool,
): Promise<OrderRow & { replayed: boolean }> {
  const merchant = order.merchant ?? database.merchant;
  const amount = order.amount ?? 1250n;
  const { rows } = await queryable.query(
    `SELECT made.replayed, (made.result).* FROM create_order($1, $2, $3, $4, $5, $6, $7, 'both', $8, NULL, $9, $10, $11, $12,
       NULL, NULL, $13, 'create_order', $14, $15) AS made`,
    [
      newOrderId(),
      randomUUID(),
      merchant.id,
      order.mode ?? "sandbox",
      merchant.credentialId,
      amount,
      order.currency ?? "EUR",
      order.reference ?? null,
      order.terminalId ?? null,
      order.orderNumber ?? null,
      order.custom ?? null,
      order.callbackUrl ?? null,
      order.expiresInSeconds ?? 300,
      order.key ?? null,
      hashOf(order.fields ?? String(amount)),
    ],
  );
  return rows[0];
}

/** `pay_order` from a wallet. */
export async function payOrder(
  database: SandboxDatabase,
  order: Pick<OrderRow, "id" | "mode">,
  wallet: string,
): Promise<OrderRow> {
  const { rows } = await database.pool.query("SELECT * FROM pay_order($1, $2, $3, $4, $5, NULL)", [
    order.id,
    order.mode,
    wallet,
    newTrxId(),
    randomUUID(),
  ]);
  return rows[0];
}

/**
 * A shopper's quote for an order of EUR from a wallet in another currency without decimals, at a round rate.
 * @param rate units of the order's currency for one of the wallet's.
 * @returns its id and what it takes from the wallet.
 */
export async function quoteOrder(
  database: SandboxDatabase,
  order: Pick<OrderRow, "id" | "amount">,
  quote: { wallet: string; rate: string; seconds?: number; payerAmount?: bigint },
): Promise<{ id: string; payer_amount: bigint }> {
  // The rate is one that an administrator could have set just before.
  await database.pool.query(
    `INSERT INTO exchange_rates (id, mode, base, quote, rate, effective_from)
     SELECT gen_random_uuid(), o.mode, a.currency, o.currency, $3, clock_timestamp() FROM orders o, accounts a WHERE o.id = $1 AND a.id = $2`,
    [order.id, quote.wallet, quote.rate],
  );
  const { rows } = await database.pool.query(
    `INSERT INTO shopper_quotes (id, mode, order_id, wallet_user_id, account_id, payer_currency, payer_amount, rate, expires_at)
     SELECT $1, o.mode, o.id, a.wallet_user_id, a.id, a.currency,
       coalesce($5, ceil(o.amount * power(10::numeric, theirs.digits) / ($4::numeric * power(10::numeric, own.digits))))::bigint, $4,
       clock_timestamp() + make_interval(secs => $6)
     FROM orders o JOIN currencies own ON own.code = o.currency, accounts a JOIN currencies theirs ON theirs.code = a.currency
     WHERE o.id = $2 AND a.id = $3 RETURNING id, payer_amount`,
    [randomUUID(), order.id, quote.wallet, quote.rate, quote.payerAmount ?? null, quote.seconds ?? 300],
  );
  return rows[0];
}

/** `pay_order_by_quote` by the owner of the quote's wallet, or by another wallet user. */
export async function payByQuote(
  database: SandboxDatabase,
  order: Pick<OrderRow, "id" | "mode">,
  quoteId: string,
  walletUserId?: string,
): Promise<OrderRow> {
  const { rows } = await database.pool.query(
    `SELECT * FROM pay_order_by_quote($1, $2, $3, coalesce($4, (SELECT wallet_user_id FROM shopper_quotes WHERE id = $3)), $5, $6)`,
    [order.id, order.mode, quoteId, walletUserId ?? null, newTrxId(), randomUUID()],
  );
  return rows[0];
}

/** `pay_order` from the merchant's test shopper, whose wallet is topped up first. */
export async function approveOrder(database: SandboxDatabase, order: OrderRow): Promise<OrderRow> {
  const { rows } = await database.pool.query("SELECT * FROM pay_order($1, $2, $3, $4, $5, $6)", [
    order.id,
    order.mode,
    record(database.testShopper, order.currency),
    newTrxId(),
    randomUUID(),
    randomUUID(),
  ]);
  return rows[0];
}

/** A new order, paid by the test shopper. */
export async function paidOrder(database: SandboxDatabase, order: NewOrder = {}): Promise<OrderRow> {
  return approveOrder(database, await createOrder(database, order));
}

export async function cancelOrder(database: SandboxDatabase, order: OrderRow): Promise<OrderRow> {
  const { rows } = await database.pool.query("SELECT * FROM cancel_order($1, $2)", [order.id, order.mode]);
  return rows[0];
}

/** `expire_order`: whether this call did it. */
export async function expireOrder(database: SandboxDatabase, order: OrderRow): Promise<boolean> {
  const { rows } = await database.pool.query<{ expired: boolean }>("SELECT expire_order($1, $2) AS expired", [
    order.id,
    order.mode,
  ]);
  return rows[0]?.expired === true;
}

export type NewRefund = {
  merchant?: Merchant;
  /** Minor units; all that is left when left out. */
  amount?: bigint;
  reason?: string;
  reference?: string;
  key?: string;
  fields?: unknown;
};

/** `refund_payment` of a paid order. */
export async function refundPayment(
  database: SandboxDatabase,
  order: Pick<OrderRow, "trx_id" | "mode">,
  refund: NewRefund = {},
): Promise<RefundRow & { replayed: boolean }> {
  const { rows } = await database.pool.query(
    `SELECT made.replayed, (made.result).* FROM refund_payment($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS made`,
    [
      newRefundId(),
      (refund.merchant ?? database.merchant).id,
      order.mode,
      order.trx_id,
      refund.amount ?? null,
      refund.reason ?? null,
      refund.reference ?? null,
      randomUUID(),
      refund.key ?? null,
      hashOf(refund.fields ?? String(refund.amount)),
    ],
  );
  return rows[0];
}

/** An order as it is now. */
export async function readOrder(database: SandboxDatabase, id: string): Promise<OrderRow> {
  const { rows } = await database.pool.query("SELECT * FROM orders WHERE id = $1", [id]);
  if (!rows[0]) throw new Error(`no order ${id}`);
  return rows[0];
}

/** Puts sandbox money into a wallet. */
export async function deposit(
  database: SandboxDatabase,
  wallet: string,
  currency: string,
  minor: bigint,
): Promise<void> {
  await database.pool.query("SELECT move_between_wallets($1, 'sandbox', 'deposit', $2, $3, $4, $5, $6)", [
    randomUUID(),
    currency,
    record(record(database.house, "issuing"), currency),
    wallet,
    minor,
    `test ${randomUUID()}`,
  ]);
}

/** Puts live money into a wallet, as two administrators do. */
export async function depositLive(
  { pool }: Pick<SandboxDatabase, "pool">,
  wallet: string,
  minor: bigint,
): Promise<void> {
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
  await pool.query("SELECT move_funds('deposit', $1, 'funding', $2, $3, $4, $5, $6)", [
    wallet,
    minor,
    `test ${request}`,
    randomUUID(),
    request,
    asks,
  ]);
  await pool.query("SELECT decide_request($1, true, $2, $3)", [request, randomUUID(), decides]);
}

/** What a refused statement answers; "done" for one that was not refused. */
export type Outcome = "done" | { code: string; constraint: string | undefined };

/** How the database answered: `done`, or the SQLSTATE and, where one is broken, the constraint. */
export async function outcomeOf(statement: Promise<unknown>): Promise<Outcome> {
  try {
    await statement;
    return "done";
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code)
      return { code: error.code, constraint: error.constraint };
    throw error;
  }
}

/** PostgreSQL's insufficient_privilege: the role may not do that at all. */
export const NOT_ALLOWED = "42501";

/** The SQLSTATE of the refusal, or `done`. */
export async function codeOf(statement: Promise<unknown>): Promise<string> {
  const outcome = await outcomeOf(statement);
  return outcome === "done" ? outcome : outcome.code;
}
