import { randomBytes, randomUUID } from "node:crypto";
import type pg from "pg";
import { createReference } from "./calls.js";
import type { BenchMerchant, BenchShopper } from "./parties.js";

let numbered = 0;
export const createDigits = (): string => {
  numbered += 1;
  return `9${String(numbered).padStart(15, "0")}`;
};

/** Calls the ledger's function behind `POST /payout`. */
export const payOutDirectly = (
  pool: pg.Pool,
  merchant: BenchMerchant,
  recipient: BenchShopper,
): Promise<unknown> =>
  pool.query({
    name: "bench execute_payouts",
    text: `SELECT replayed FROM execute_payouts(ARRAY[$1], ARRAY[$2::uuid], '{sandbox}', ARRAY[$3], ARRAY[$4], '{NULL}', ARRAY[$5::uuid],
             ARRAY[$6::uuid], '{100}', '{EUR}', '{0}', '{1}', '{100}', '{EUR}', '{NULL}', ARRAY[$7], ARRAY[$8::uuid], '{false}', '{NULL}', '{NULL}')`,
    values: [
      `PO${createDigits()}`,
      merchant.id,
      createReference(),
      createReference(),
      recipient.id,
      recipient.walletId,
      `PP${createDigits()}`,
      randomUUID(),
    ],
  });

/** Calls the ledger's function behind `POST /orders`. */
export const createOrderDirectly = (pool: pg.Pool, merchant: BenchMerchant): Promise<unknown> =>
  pool.query({
    name: "bench create_orders",
    text: `SELECT replayed FROM create_orders(ARRAY[$1], ARRAY[$2], ARRAY[$3::uuid], '{sandbox}', ARRAY[$4::uuid], '{1250}', '{EUR}', '{both}', ARRAY[$5],
             '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{300}', '{create_order}', '{NULL}', ARRAY[$6::bytea], '{NULL}', '{NULL}', '{NULL}', '{NULL}')`,
    values: [
      `POS-20000101-${createDigits()}`,
      randomBytes(24).toString("base64url"),
      merchant.id,
      merchant.credentialId,
      createReference(),
      randomBytes(32),
    ],
  });

/** Calls the ledger's function behind a payment on the hosted page. @returns the transaction ID. */
export async function payDirectly(
  pool: pg.Pool,
  orderId: string,
  { walletId }: BenchShopper,
): Promise<string> {
  const trxId = `TRX-${createDigits()}`;
  await pool.query({
    name: "bench pay_orders",
    text: `SELECT status FROM pay_orders(ARRAY[$1], '{sandbox}', ARRAY[$2::uuid], '{NULL}', '{NULL}', ARRAY[$3], ARRAY[$4::uuid], '{NULL}')`,
    values: [orderId, walletId, trxId, randomUUID()],
  });
  return trxId;
}

/** Calls the ledger's function behind `POST /refunds`, for one minor unit. */
export const refundDirectly = (pool: pg.Pool, merchant: BenchMerchant, trxId: string): Promise<unknown> =>
  pool.query({
    name: "bench refund_payments",
    text: `SELECT replayed FROM refund_payments(ARRAY[$1], ARRAY[$2::uuid], '{sandbox}', ARRAY[$3], '{1}', '{NULL}', '{NULL}', ARRAY[$4::uuid],
      ARRAY[$5], ARRAY[$6::bytea], '{NULL}', '{NULL}', '{NULL}')`,
    values: [
      `RF-20000101-${createDigits()}`,
      merchant.id,
      trxId,
      randomUUID(),
      createReference(),
      randomBytes(32),
    ],
  });
