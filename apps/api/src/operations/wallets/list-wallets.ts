import { rowsOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";

const walletSchema = z.object({
  currency: z.string(),
  digits: z.int(),
  symbol: z.string(),
  balance: z.bigint(),
  held: z.bigint(),
});
/** A merchant's wallet, and what waits for a decision beside it; both in minor units. */
export type Wallet = z.output<typeof walletSchema>;

/** The open wallets of a merchant and mode: in active currencies, and in deactivated ones while they hold money. */
export const listMerchantWallets = (
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
): Promise<Wallet[]> =>
  rowsOf(
    pool,
    walletSchema,
    `SELECT a.currency, c.digits::int, c.symbol, a.balance, coalesce(h.balance, 0::bigint) AS held
     FROM accounts a JOIN currencies c ON c.code = a.currency
     LEFT JOIN accounts h ON h.merchant_id = a.merchant_id AND h.mode = a.mode AND h.currency = a.currency AND h.kind = 'hold'
     WHERE a.merchant_id = $1 AND a.mode = $2 AND a.kind = 'merchant' AND a.closed_at IS NULL
       AND (c.active OR a.balance <> 0 OR h.balance <> 0) ORDER BY a.currency`,
    [merchantId, mode],
  );
