import { CONSOLE_RIGHTS, type ConsoleRight, type ConsoleRole, ErrorCode, hasRight } from "@tillgate/contract";
import type { Manager } from "../../audit/administrator.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { isIssuedId } from "../../platform/ids.js";
import { type ConsoleSession, requireFreshSecondFactor } from "./session.js";

/** A console user's access to a merchant. Changes are recorded under the user's name. */
export type ConsoleAccess = { merchantId: string; by: Manager; role: ConsoleRole };

/** @throws OperationError MerchantNotFound (also if access is denied), RoleNotAllowed; for some rights SecondFactorNotFresh, SecondFactorNotSetUp. */
export async function requireConsoleAccess(
  context: Context,
  session: ConsoleSession,
  { merchantId, right }: { merchantId: string; right: ConsoleRight },
): Promise<ConsoleAccess> {
  const role = isIssuedId(merchantId) ? await findRole(context, session, merchantId) : null;
  if (role === null) throw new OperationError(ErrorCode.MerchantNotFound);
  if (!hasRight(role, right)) throw new OperationError(ErrorCode.RoleNotAllowed);
  if (CONSOLE_RIGHTS[right].fresh) requireFreshSecondFactor(session);
  const { id, email } = session.user;
  return { merchantId, by: { id, email }, role };
}

/** Returns null if the merchant does not exist, or the user may not access it. */
async function findRole(
  { database: { prisma } }: Context,
  { user }: ConsoleSession,
  merchantId: string,
): Promise<ConsoleRole | null> {
  if (user.role === "administrator")
    return (await prisma.merchant.count({ where: { id: merchantId } })) === 1 ? "administrator" : null;
  const key = { userId: user.id, merchantId };
  const member = await prisma.consoleMember.findUnique({ where: { userId_merchantId: key } });
  return member?.role ?? null;
}
