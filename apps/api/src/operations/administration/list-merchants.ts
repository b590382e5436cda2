import type { MerchantModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { currencyOf } from "../../readers/currencies.js";
import { findMerchant } from "./find-merchant.js";
import type { Money } from "./money.js";

/** The most merchants that one list shows. */
const MAX_LISTED = 500;

/** Merchants by name; `search` is a part of the name in any case. */
export async function listMerchants(
  { database: { prisma } }: Context,
  { search }: { search?: string | undefined },
): Promise<MerchantModel[]> {
  return prisma.merchant.findMany({
    ...(search === undefined ? {} : { where: { name: { contains: search, mode: "insensitive" as const } } }),
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: MAX_LISTED,
  });
}

export type MerchantWallet = { mode: string; balance: Money; held: Money; closed: boolean };

/** A merchant with its wallets and how many credentials work. @throws OperationError NotFound. */
export async function showMerchant(
  context: Context,
  { merchant: idOrName }: { merchant: string },
): Promise<{ merchant: MerchantModel; wallets: MerchantWallet[]; credentials: number }> {
  const { prisma } = context.database;
  const merchant = await findMerchant(context, idOrName);
  const [accounts, credentials] = await Promise.all([
    prisma.account.findMany({
      where: { merchantId: merchant.id },
      orderBy: [{ mode: "asc" }, { currency: "asc" }],
    }),
    prisma.credential.count({
      where: {
        merchantId: merchant.id,
        revokedAt: null,
        OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
      },
    }),
  ]);
  const wallets = await Promise.all(
    accounts
      .filter(({ kind }) => kind === "merchant")
      .map(async (wallet) => {
        const currency = await currencyOf(context, wallet.currency);
        const hold = accounts.find(
          ({ kind, mode, currency: code }) =>
            kind === "hold" && mode === wallet.mode && code === wallet.currency,
        );
        return {
          mode: wallet.mode,
          balance: { minor: wallet.balance ?? 0n, currency },
          held: { minor: hold?.balance ?? 0n, currency },
          closed: wallet.closedAt !== null,
        };
      }),
  );
  return { merchant, wallets, credentials };
}
