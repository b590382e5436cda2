import type { Mode } from "@tillgate/contract";
import type { WalletUserModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { readPhone } from "../../platform/phone-numbers.js";

/**
 * Finds a wallet user, even if deactivated, by e-mail address (case-insensitive) or phone number (with country code, in any usual notation).
 * @returns null for an unknown or invalid contact.
 */
export async function findWalletUser(
  context: Context,
  { phone, email }: { phone?: string | undefined; email?: string | undefined },
  mode: Mode,
): Promise<WalletUserModel | null> {
  const users = context.database.prisma.walletUser;
  if (email !== undefined)
    return users.findUnique({ where: { mode_email: { mode, email: email.trim().toLowerCase() } } });
  const number = phone === undefined ? null : readPhone(phone);
  return number === null ? null : users.findUnique({ where: { mode_phone: { mode, phone: number } } });
}
