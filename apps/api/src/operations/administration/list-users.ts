import type { Mode } from "@tillgate/contract";
import type { Context } from "../../context.js";

/** The most wallet users that one list shows. */
const MAX_LISTED = 200;

export type ListedUser = {
  id: string;
  name: string;
  phone: string | null;
  email: string | null;
  active: boolean;
  currencies: string[];
  createdAt: Date;
};

/** Wallet users of a mode by name; `search` is a part of name, phone or e-mail in any case. Test shoppers are left out. */
export async function listUsers(
  { database: { prisma } }: Context,
  { mode, search }: { mode: Mode; search?: string | undefined },
): Promise<ListedUser[]> {
  const contains = { contains: search ?? "", mode: "insensitive" as const };
  const users = await prisma.walletUser.findMany({
    where: {
      mode,
      testOfMerchantId: null,
      ...(search === undefined ? {} : { OR: [{ name: contains }, { phone: contains }, { email: contains }] }),
    },
    include: {
      accounts: { where: { closedAt: null }, select: { currency: true }, orderBy: { currency: "asc" } },
    },
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: MAX_LISTED,
  });
  return users.map(({ id, name, phone, email, active, accounts, createdAt }) => ({
    id,
    name,
    phone,
    email,
    active,
    currencies: accounts.map(({ currency }) => currency),
    createdAt,
  }));
}
