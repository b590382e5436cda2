import { type Mode, Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { isIssuedId } from "../../ids/issued-id.js";
import { OperationError } from "../../operation-error.js";
import type { Manager, ReceiverScope } from "../webhooks/receiver.js";
import type { ConsoleSession } from "./console-session.js";

/** What a console user may see and change: one merchant in one mode, under the user's name. */
export type ConsoleAccess = ReceiverScope & { by: Manager };

/**
 * Checks at every request what a console user may do: a merchant's user with its own merchant only, an administrator with
 * any.
 * @throws OperationError MerchantNotFound for a merchant that does not exist, and for one that is not the user's.
 */
export async function consoleAccess(
  { database: { prisma } }: Context,
  { user: { id, email, role } }: ConsoleSession,
  { merchantId, mode }: { merchantId: string; mode: Mode },
): Promise<ConsoleAccess> {
  const known =
    isIssuedId(merchantId) &&
    (role === "administrator"
      ? (await prisma.merchant.count({ where: { id: merchantId } })) === 1
      : (await prisma.consoleUser.count({ where: { id, merchantId } })) === 1);
  if (!known) throw new OperationError(Refusal.MerchantNotFound);
  return { merchantId, mode, by: { id, email } };
}
