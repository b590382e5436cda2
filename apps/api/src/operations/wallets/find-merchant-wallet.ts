import { Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { OperationError } from "../../operation-error.js";

/** The id of a merchant's wallet in a currency, also of a closed one. @throws OperationError WalletNotFound. */
export async function findMerchantWallet(
  { database: { prisma } }: Context,
  { merchantId, mode }: MerchantScope,
  currency: string,
): Promise<string> {
  const wallet = await prisma.account.findFirst({
    where: { merchantId, mode, currency, kind: "merchant" },
    select: { id: true },
  });
  if (!wallet) throw new OperationError(Refusal.WalletNotFound);
  return wallet.id;
}
