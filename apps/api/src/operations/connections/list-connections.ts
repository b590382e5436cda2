import type { Context } from "../../context.js";

/** More than these are not listed. */
const MAX_LISTED = 100;

export type ListedConnection = {
  id: string;
  platform: string;
  shopName: string;
  shopOrigin: string;
  exchangedAt: Date;
};

/** The shops that a merchant's people connected, the newest first. */
export async function listConnections(
  { database: { prisma } }: Context,
  merchantId: string,
): Promise<ListedConnection[]> {
  const found = await prisma.shopConnection.findMany({
    where: { merchantId, exchangedAt: { not: null } },
    orderBy: { createdAt: "desc" },
    take: MAX_LISTED,
    select: { id: true, platform: true, shopName: true, shopOrigin: true, exchangedAt: true },
  });
  return found.flatMap(({ exchangedAt, ...rest }) =>
    exchangedAt === null ? [] : [{ ...rest, exchangedAt }],
  );
}
