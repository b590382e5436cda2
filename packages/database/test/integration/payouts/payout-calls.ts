import { randomInt, randomUUID } from "node:crypto";
import * as ledger from "../../../src/ledger.js";
import { ADMINISTRATOR, callRow, setRates } from "../../ledger-calls.js";
import { record, type SandboxDatabase } from "../../sandbox-database.js";

/** The columns of a payout that tests check. */
export type PayoutRow = {
  id: string;
  reference: string;
  status: "pending" | "completed" | "failed";
  amount: bigint;
  fee: bigint;
  quote_id: string | null;
  trx_id: string | null;
  transfer_id: string | null;
  hold_transfer_id: string | null;
};

const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
export const newPayoutId = () =>
  `PO${Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join("")}`;
export const newPartnerTrxId = () => `PP${String(randomInt(1e10)).padStart(10, "0")}`;

export type NewPayout = {
  amount?: bigint;
  fee?: bigint;
  waits?: boolean;
  quoteId?: string;
  key?: string;
  reference?: string;
  rate?: string;
  /** Credited in XAF instead of EUR. */
  francs?: bigint;
};

const samuel = async ({ pool, shoppers }: SandboxDatabase): Promise<string> => {
  const wallet = record(record(shoppers, "Samuel"), "EUR");
  const { rows } = await pool.query<{ wallet_user_id: string }>(
    "SELECT wallet_user_id FROM accounts WHERE id = $1",
    [wallet],
  );
  return rows[0]?.wallet_user_id ?? "";
};

/** Returns the arguments of `execute_payouts`. Default: 10.00 EUR to Samuel and a fee of 0.30. */
export async function payoutItem(database: SandboxDatabase, payout: NewPayout = {}) {
  const currency = payout.francs === undefined ? "EUR" : "XAF";
  const amount = payout.amount ?? 1_000n;
  // As if an administrator had just set this rate.
  if (payout.francs !== undefined)
    await database.pool.query(
      setRates("SELECT 'sandbox'::mode, 'EUR', $1::text, $2::numeric, 0, clock_timestamp()"),
      [currency, payout.rate ?? "1"],
    );
  return {
    payoutId: newPayoutId(),
    merchantId: database.merchant.id,
    mode: "sandbox" as const,
    idempotencyKey: payout.key ?? randomUUID(),
    reference: payout.reference ?? randomUUID(),
    quoteId: payout.quoteId ?? null,
    walletUserId: await samuel(database),
    recipientAccountId: record(record(database.shoppers, "Samuel"), currency),
    amount,
    senderCurrency: "EUR",
    fee: payout.fee ?? 30n,
    rate: payout.rate ?? "1",
    receiverAmount: payout.francs ?? amount,
    receiverCurrency: currency,
    description: null,
    trxId: newPartnerTrxId(),
    transferId: randomUUID(),
    needsApproval: payout.waits ?? false,
    metadata: null,
    traceparent: null,
  };
}

type ExecutedPayout = PayoutRow & { replayed: boolean };

/** Calls `execute_payouts` with these arguments. */
export const executeItem = (
  { pool }: SandboxDatabase,
  item: Parameters<typeof ledger.executePayouts.values>[0],
): Promise<ExecutedPayout> => callRow(pool, ledger.executePayouts, item);

/** Calls `execute_payouts`. */
export const executePayout = async (
  database: SandboxDatabase,
  payout: NewPayout = {},
): Promise<ExecutedPayout> => executeItem(database, await payoutItem(database, payout));

/** Calls `decide_payout` as an administrator. */
export async function settlePayout(
  database: SandboxDatabase,
  id: string,
  approve: boolean,
): Promise<PayoutRow> {
  const { rows } = await database.pool.query(
    `SELECT * FROM decide_payout($1, $2, $3, $4, ${ADMINISTRATOR}, NULL)`,
    [id, approve, newPartnerTrxId(), randomUUID()],
  );
  return rows[0];
}

/** Creates a quote of 10.00 EUR to Samuel with a fee of 0.30. @returns its ID. */
export async function createQuote(database: SandboxDatabase): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO quotes (id, merchant_id, mode, wallet_user_id, amount, sender_currency, fee, rate, receiver_amount, receiver_currency)
     VALUES (gen_random_uuid(), $1, 'sandbox', $2, 1000, 'EUR', 30, 1, 1000, 'EUR') RETURNING id`,
    [database.merchant.id, await samuel(database)],
  );
  return rows[0]?.id ?? "";
}

/** Returns the ID of the merchant's hold account in EUR. */
export async function holdAccount({ pool, merchant }: SandboxDatabase): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    "SELECT id FROM accounts WHERE merchant_id = $1 AND mode = 'sandbox' AND currency = 'EUR' AND kind = 'hold'",
    [merchant.id],
  );
  return rows[0]?.id ?? "";
}
