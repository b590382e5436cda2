import { MAX_TILLS } from "@tillgate/contract";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import type { TillModel } from "./till.js";

/** All tills of a merchant in one mode, by name. */
export const listTills = (
  { database: { prisma } }: Context,
  { merchantId, mode }: MerchantScope,
): Promise<TillModel[]> =>
  prisma.till.findMany({
    where: { merchantId, mode },
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: MAX_TILLS,
  });
