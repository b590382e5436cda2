import { createHash, randomInt, randomUUID } from "node:crypto";
import pg from "pg";
import { ADMINISTRATOR, setRates } from "../../../scripts/testing/administration.js";
import { callOne, type LedgerFunction } from "../src/functions/ledger-function.js";
import type { Mode } from "../src/generated/prisma/enums.js";
import * as ledger from "../src/ledger.js";
import { type Merchant, record, type SandboxDatabase } from "./sandbox-database.js";

export { ADMINISTRATOR, setRates };

/** The columns of an order that tests check. */
export type OrderRow = {
  id: string;
  mode: Mode;
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

/** A dedicated connection (inside a transaction), or the pool. */
type Queryable = Pick<pg.ClientBase, "query">;

/** Calls a function with its arguments by name. @returns its first row. */
export async function callRow<Row extends pg.QueryResultRow, Named extends Record<string, unknown>>(
  queryable: Queryable,
  { name, sql, values }: LedgerFunction<Named, unknown>,
  named: Named,
): Promise<Row> {
  const { rows } = await queryable.query<Row>(sql, values(named));
  if (!rows[0]) throw new Error(`${name} returned no row`);
  return rows[0];
}

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
  /** Input of the key's request hash. Default: the amount. */
  fields?: unknown;
};

/** Returns the arguments of `create_orders`. Default: 12.50 EUR for the first merchant. */
export function orderItem(database: SandboxDatabase, order: NewOrder = {}) {
  const merchant = order.merchant ?? database.merchant;
  const amount = order.amount ?? 1250n;
  return {
    id: newOrderId(),
    token: randomUUID(),
    merchantId: merchant.id,
    mode: order.mode ?? ("sandbox" as const),
    credentialId: merchant.credentialId,
    amount,
    currency: order.currency ?? "EUR",
    paymentMethod: "both",
    reference: order.reference ?? null,
    description: null,
    terminalId: order.terminalId ?? null,
    orderNumber: order.orderNumber ?? null,
    custom: order.custom ?? null,
    callbackUrl: order.callbackUrl ?? null,
    returnUrl: null,
    cancelUrl: null,
    expiresInSeconds: order.expiresInSeconds ?? 300,
    operation: "create_order",
    idempotencyKey: order.key ?? null,
    requestHash: hashOf(order.fields ?? String(amount)),
    metadata: null,
    locale: null,
    requestId: null,
    traceparent: null,
  };
}

/** Calls `create_orders`. */
export const createOrder = (
  database: SandboxDatabase,
  order: NewOrder = {},
  queryable: Queryable = database.pool,
): Promise<OrderRow & { replayed: boolean }> =>
  callRow(queryable, ledger.createOrders, orderItem(database, order));

/** Returns the arguments of `pay_orders`. */
export const paymentItem = (
  { id, mode }: Pick<OrderRow, "id" | "mode">,
  from: {
    payerAccountId?: string | null;
    quoteId?: string | null;
    walletUserId?: string | null;
    trxId?: string;
    topUpTransferId?: string | null;
    confirmation?: string | null;
  },
) => ({
  orderId: id,
  mode,
  payerAccountId: null,
  quoteId: null,
  walletUserId: null,
  trxId: newTrxId(),
  transferId: randomUUID(),
  topUpTransferId: null,
  confirmation: null,
  requestId: null,
  ...from,
});

/** Calls `pay_orders` from a wallet, which is topped up before it pays if `topUpTransferId` is given. */
export const payOrder = (
  { pool }: SandboxDatabase,
  order: Pick<OrderRow, "id" | "mode">,
  payerAccountId: string,
  { connection = pool, ...payment }: Payment = {},
): Promise<OrderRow> =>
  callRow(connection, ledger.payOrders, paymentItem(order, { payerAccountId, ...payment }));

export type Payment = { trxId?: string; topUpTransferId?: string | null; connection?: Queryable };

/**
 * Inserts a shopper's quote for an order, from a wallet in another currency, and sets its rate.
 * @param quote.rate units of the order's currency for one unit of the wallet's currency.
 * @returns the quote's ID and the amount that it debits.
 */
export async function quoteOrder(
  database: SandboxDatabase,
  order: Pick<OrderRow, "id" | "amount">,
  quote: { wallet: string; rate: string; seconds?: number; payerAmount?: bigint },
): Promise<{ id: string; payer_amount: bigint }> {
  // As if an administrator had just set this rate.
  await database.pool.query(
    setRates(
      "SELECT o.mode, a.currency, o.currency, $3::numeric, 0, clock_timestamp() FROM orders o, accounts a WHERE o.id = $1 AND a.id = $2",
    ),
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

/** Calls `pay_orders` with a quote, as the owner of the quote's wallet or as another wallet user. */
export async function payByQuote(
  database: SandboxDatabase,
  order: Pick<OrderRow, "id" | "mode">,
  quoteId: string,
  walletUserId?: string,
): Promise<OrderRow> {
  const { rows } = await database.pool.query<{ wallet_user_id: string }>(
    "SELECT wallet_user_id FROM shopper_quotes WHERE id = $1",
    [quoteId],
  );
  return callRow(
    database.pool,
    ledger.payOrders,
    paymentItem(order, { quoteId, walletUserId: walletUserId ?? rows[0]?.wallet_user_id ?? "" }),
  );
}

/** Calls `pay_orders` as the merchant's test shopper, whose wallet is topped up before it pays. */
export const approveOrder = (database: SandboxDatabase, order: OrderRow): Promise<OrderRow> =>
  payOrder(database, order, record(database.testShopper, order.currency), {
    topUpTransferId: randomUUID(),
  });

/** Creates an order and pays it as the test shopper. */
export async function paidOrder(database: SandboxDatabase, order: NewOrder = {}): Promise<OrderRow> {
  return approveOrder(database, await createOrder(database, order));
}

export const cancelOrder = ({ pool }: SandboxDatabase, { id, mode }: OrderRow): Promise<OrderRow> =>
  callRow(pool, ledger.cancelOrder, { orderId: id, mode, requestId: null });

/** Calls `expire_order`. @returns whether this call expired the order. */
export const expireOrder = ({ pool }: SandboxDatabase, { id, mode }: OrderRow): Promise<boolean> =>
  callOne(pool, ledger.expireOrder, { orderId: id, mode, requestId: null });

export type NewRefund = {
  merchant?: Merchant;
  /** Minor units. Default: the whole remaining amount. */
  amount?: bigint;
  reason?: string;
  reference?: string;
  key?: string;
  fields?: unknown;
};

/** Returns the arguments of `refund_payments`. */
export const refundItem = (
  database: SandboxDatabase,
  order: Pick<OrderRow, "trx_id" | "mode">,
  refund: NewRefund = {},
) => ({
  refundId: newRefundId(),
  merchantId: (refund.merchant ?? database.merchant).id,
  mode: order.mode,
  trxId: order.trx_id ?? "",
  amount: refund.amount ?? null,
  reason: refund.reason ?? null,
  reference: refund.reference ?? null,
  transferId: randomUUID(),
  idempotencyKey: refund.key ?? null,
  requestHash: hashOf(refund.fields ?? String(refund.amount)),
  metadata: null,
  credentialId: null,
  requestId: null,
});

/** Calls `refund_payments` for a paid order. */
export const refundPayment = (
  database: SandboxDatabase,
  order: Pick<OrderRow, "trx_id" | "mode">,
  refund: NewRefund = {},
  queryable: Queryable = database.pool,
): Promise<RefundRow & { replayed: boolean }> =>
  callRow(queryable, ledger.refundPayments, refundItem(database, order, refund));

/** Reads the current row of an order. */
export async function readOrder(database: SandboxDatabase, id: string): Promise<OrderRow> {
  const { rows } = await database.pool.query("SELECT * FROM orders WHERE id = $1", [id]);
  if (!rows[0]) throw new Error(`order ${id} not found`);
  return rows[0];
}

/** Decides a pending refund as an administrator. */
export async function settleRefund(
  { pool }: Pick<SandboxDatabase, "pool">,
  id: string,
  approve: boolean,
): Promise<void> {
  await pool.query(`SELECT decide_refund($1, $2, gen_random_uuid(), ${ADMINISTRATOR}, NULL)`, [id, approve]);
}

/** Tops up a sandbox wallet. */
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

/** Deposits live money into a wallet, with the approval of a second administrator. */
export async function depositLive(
  { pool }: Pick<SandboxDatabase, "pool">,
  wallet: string,
  minor: bigint,
): Promise<void> {
  // The second administrator needs no approval; a third would.
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
  if (asks === undefined || decides === undefined) throw new Error("two administrators are required");
  const funds = { kind: "deposit", accountId: wallet, house: "funding", amount: minor };
  await callOne(pool, ledger.moveFunds, {
    ...funds,
    externalReference: `test ${request}`,
    transferId: randomUUID(),
    requestId: request,
    administratorId: asks,
  });
  await callOne(pool, ledger.decideRequest, {
    requestId: request,
    approve: true,
    transferId: randomUUID(),
    administratorId: decides,
  });
}

/** Outcome of a statement: `done`, or the SQLSTATE and the violated constraint, if any. */
export type Outcome = "done" | { code: string; constraint: string | undefined };

/** @throws errors that do not come from PostgreSQL. */
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

/** PostgreSQL's insufficient_privilege: the role lacks the privilege. */
export const NOT_ALLOWED = "42501";

/** Returns the SQLSTATE of the error, or `done`. */
export async function codeOf(statement: Promise<unknown>): Promise<string> {
  const outcome = await outcomeOf(statement);
  return outcome === "done" ? outcome : outcome.code;
}
