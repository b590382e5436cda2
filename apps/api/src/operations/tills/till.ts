import { type Mode, Refusal } from "@tillgate/contract";
import type { Prisma } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { OperationError } from "../../operation-error.js";
import { currencyOf } from "../../readers/currencies.js";

export type TillModel = Prisma.TillGetPayload<object>;

/** A till, with the digits of its currency. */
export type TillView = Pick<TillModel, "id" | "name" | "terminalId" | "token" | "createdAt"> & {
  mode: Mode;
  currency: { code: string; digits: number };
  paused: boolean;
};

/** A till of this merchant and mode. @throws OperationError TillNotFound. */
export async function requireTill(
  { database: { prisma } }: Context,
  { merchantId, mode }: MerchantScope,
  id: string,
): Promise<TillModel> {
  const till = await prisma.till.findFirst({ where: { id, merchantId, mode } });
  if (!till) throw new OperationError(Refusal.TillNotFound);
  return till;
}

/**
 * The till that a printed code names, and its merchant's name on the payment page.
 * @throws OperationError TillNotFound.
 */
export async function tillOfCode(
  { database: { prisma } }: Context,
  token: string,
): Promise<{ till: TillModel; merchantName: string }> {
  const till = await prisma.till.findUnique({
    where: { token },
    include: { merchant: { select: { name: true, branding: { select: { name: true } } } } },
  });
  if (!till) throw new OperationError(Refusal.TillNotFound);
  const { merchant, ...rest } = till;
  return { till: rest, merchantName: merchant.branding?.name ?? merchant.name };
}

export async function viewTill(context: Context, till: TillModel): Promise<TillView> {
  const { code, digits } = await currencyOf(context, till.currency);
  const { id, name, mode, terminalId, token, createdAt, pausedAt } = till;
  return {
    id,
    name,
    mode,
    terminalId,
    token,
    createdAt,
    currency: { code, digits },
    paused: pausedAt !== null,
  };
}
