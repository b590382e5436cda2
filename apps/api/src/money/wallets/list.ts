import { ErrorCode, type Mode } from "@tillgate/contract";
import { queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { MerchantScope, Partner } from "../../identity/credentials/authenticate.js";
import { getCurrency, type Money } from "../currencies.js";
import { findOwner, toOwnerFields, type WalletOwner } from "./open.js";

const walletSchema = z.object({
  currency: z.string(),
  digits: z.int(),
  symbol: z.string(),
  balance: z.bigint(),
  held: z.bigint(),
});
/** Minor units. `held` is held for pending payouts and refunds; the balance excludes it. */
export type Wallet = z.output<typeof walletSchema>;

/** Lists open wallets. A wallet in a deactivated currency is listed only if its balance or its held amount is not zero. */
export const listMerchantWallets = (
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
): Promise<Wallet[]> =>
  queryRows(
    pool,
    walletSchema,
    `SELECT a.currency, c.digits::int, c.symbol, a.balance, coalesce(h.balance, 0::bigint) AS held
     FROM accounts a JOIN currencies c ON c.code = a.currency
     LEFT JOIN accounts h ON h.merchant_id = a.merchant_id AND h.mode = a.mode AND h.currency = a.currency AND h.kind = 'hold'
     WHERE a.merchant_id = $1 AND a.mode = $2 AND a.kind = 'merchant' AND a.closed_at IS NULL
       AND (c.active OR a.balance <> 0 OR h.balance <> 0) ORDER BY a.currency`,
    [merchantId, mode],
  );

/** `balance` is in minor units. */
export type Balance = { code: string; symbol: string; digits: number; balance: bigint };

/** Lists open wallets. A wallet in a deactivated currency is listed only if its balance is not zero. Balances exclude held amounts. */
export async function listBalances(
  { database: { prisma } }: Context,
  { merchantId, mode }: Partner,
): Promise<Balance[]> {
  const wallets = await prisma.account.findMany({
    where: {
      merchantId,
      mode,
      kind: "merchant",
      closedAt: null,
      OR: [{ currencyRow: { active: true } }, { balance: { not: 0 } }],
    },
    select: { balance: true, currencyRow: { select: { code: true, symbol: true, digits: true } } },
    orderBy: { currency: "asc" },
  });
  return wallets.map(({ balance, currencyRow }) => ({ ...currencyRow, balance: balance ?? 0n }));
}

/** Finds a merchant's wallet, open or closed. @returns the wallet's ID. @throws OperationError WalletNotFound. */
export async function findMerchantWallet(
  { database: { prisma } }: Context,
  { merchantId, mode }: MerchantScope,
  currency: string,
): Promise<string> {
  const wallet = await prisma.account.findFirst({
    where: { merchantId, mode, currency, kind: "merchant" },
    select: { id: true },
  });
  if (!wallet) throw new OperationError(ErrorCode.WalletNotFound);
  return wallet.id;
}

export type ListedWallet = { id: string; owner: string; balance: Money; closedAt: Date | null };

/** Lists an owner's wallets, open and closed. @throws the errors of {@link findOwner}. */
export async function listWallets(
  context: Context,
  { mode, owner: ownerName }: { mode: Mode; owner: WalletOwner },
): Promise<ListedWallet[]> {
  const owner = await findOwner(context, mode, ownerName);
  const wallets = await context.database.prisma.account.findMany({
    where: { mode, ...toOwnerFields(owner) },
    orderBy: { currency: "asc" },
  });
  return Promise.all(
    wallets.map(async ({ id, balance, currency, closedAt }) => ({
      id,
      owner: owner.name,
      balance: { minor: balance ?? 0n, currency: await getCurrency(context, currency) },
      closedAt,
    })),
  );
}
