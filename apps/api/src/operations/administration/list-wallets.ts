import type { Mode } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { currencyOf } from "../../readers/currencies.js";
import { findOwner, ownedBy, type WalletOwner } from "./find-wallet.js";
import type { Money } from "./money.js";

export type ListedWallet = { id: string; owner: string; balance: Money; closedAt: Date | null };

/** The wallets of a merchant or wallet user in a mode, closed ones too. @throws OperationError NotFound. */
export async function listWallets(
  context: Context,
  { mode, owner: named }: { mode: Mode; owner: WalletOwner },
): Promise<ListedWallet[]> {
  const owner = await findOwner(context, mode, named);
  const wallets = await context.database.prisma.account.findMany({
    where: { mode, ...ownedBy(owner) },
    orderBy: { currency: "asc" },
  });
  return Promise.all(
    wallets.map(async ({ id, balance, currency, closedAt }) => ({
      id,
      owner: owner.name,
      balance: { minor: balance ?? 0n, currency: await currencyOf(context, currency) },
      closedAt,
    })),
  );
}
