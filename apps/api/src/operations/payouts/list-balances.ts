import type { Context } from "../../context.js";
import type { Partner } from "../../credentials/authenticate-partner.js";

/** A merchant's wallet; the balance in minor units. */
export type Balance = { code: string; symbol: string; digits: number; balance: bigint };

/**
 * The open wallets of a merchant and mode: in active currencies, and in deactivated ones while they hold money. Money held
 * for pending payouts and refunds is not included.
 */
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
