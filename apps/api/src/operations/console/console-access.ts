import { type Mode, Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { isIssuedId } from "../../ids/issued-id.js";
import { OperationError } from "../../operation-error.js";
import type { Manager, ReceiverScope } from "../webhooks/receiver.js";

/** What a console user may see and change: one merchant in one mode, under the user's name. */
export type ConsoleAccess = ReceiverScope & { by: Manager };

/**
 * Checks at every request what a console user may do: a merchant's user with its own merchant only, an administrator with
 * any.
 * @throws OperationError NotSignedIn for a user that does not exist; MerchantNotFound for a merchant that does not, and for
 * one that is not the user's.
 */
export async function consoleAccess(
  { database: { prisma } }: Context,
  { userId, merchantId, mode }: { userId: string; merchantId: string; mode: Mode },
): Promise<ConsoleAccess> {
  const user = isIssuedId(userId) ? await prisma.consoleUser.findUnique({ where: { id: userId } }) : null;
  if (!user) throw new OperationError(Refusal.NotSignedIn);
  const known =
    isIssuedId(merchantId) &&
    (user.role === "administrator"
      ? (await prisma.merchant.count({ where: { id: merchantId } })) === 1
      : user.merchantId === merchantId);
  if (!known) throw new OperationError(Refusal.MerchantNotFound);
  return { merchantId, mode, by: { id: user.id, email: user.email } };
}
