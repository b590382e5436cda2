import type { PayoutModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { getPayout } from "./get-payout.js";

/** A payout with its recipient. */
export type PayoutView = {
  payout: PayoutModel;
  recipient: { name: string; email: string | null; phone: string | null };
};

/** One payout of the merchant for its page. @throws OperationError PayoutNotFound, as {@link getPayout}. */
export async function viewPayout(context: Context, scope: MerchantScope, id: string): Promise<PayoutView> {
  const payout = await getPayout(context, scope, id);
  const recipient = await context.database.prisma.walletUser.findUniqueOrThrow({
    where: { id: payout.walletUserId },
    select: { name: true, email: true, phone: true },
  });
  return { payout, recipient };
}
