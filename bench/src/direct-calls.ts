import { randomBytes, randomUUID } from "node:crypto";
import type pg from "pg";
import { unique } from "./calls.js";
import type { BenchMerchant, BenchShopper } from "./parties.js";

/** Digits that no other id has. */
let numbered = 0;
const newDigits = (): string => {
  numbered += 1;
  return `9${String(numbered).padStart(15, "0")}`;
};

/** The ledger's function behind `POST /payout`, once. */
export const payOutDirectly = (
  pool: pg.Pool,
  merchant: BenchMerchant,
  recipient: BenchShopper,
): Promise<unknown> =>
  pool.query({
    name: "bench execute_payout",
    text: "SELECT replayed FROM execute_payout($1, $2, 'sandbox', $3, $4, NULL, $5, $6, 100, 'EUR', 0, 1, 100, 'EUR', NULL, $7, $8, false)",
    values: [
      `PO${newDigits()}`,
      merchant.id,
      unique(),
      unique(),
      recipient.id,
      recipient.walletId,
      `PP${newDigits()}`,
      randomUUID(),
    ],
  });

/** The ledger's function behind `POST /orders`, once. */
export const createOrderDirectly = (pool: pg.Pool, merchant: BenchMerchant): Promise<unknown> =>
  pool.query({
    name: "bench create_order",
    text: `SELECT replayed FROM create_order($1, $2, $3, 'sandbox', $4, 1250, 'EUR', 'both', $5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 300,
             'create_order', NULL, $6)`,
    values: [
      `POS-20000101-${newDigits()}`,
      randomBytes(24).toString("base64url"),
      merchant.id,
      merchant.credentialId,
      unique(),
      randomBytes(32),
    ],
  });

/** The ledger's function behind a payment on the page, once. */
export const payDirectly = (pool: pg.Pool, orderId: string, { walletId }: BenchShopper): Promise<unknown> =>
  pool.query({
    name: "bench pay_order",
    text: "SELECT status FROM pay_order($1, 'sandbox', $2, $3, $4, NULL)",
    values: [orderId, walletId, `TRX-${newDigits()}`, randomUUID()],
  });
