import { type Mode, Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";
import { openWallet } from "../administration/open-wallet.js";
import type { ConsoleAccess } from "../console/console-access.js";

/**
 * Opens a wallet of a merchant's sandbox, in any active currency: a first order needs one, and the sandbox holds no money of anybody's.
 * Live wallets are an administrator's to open.
 * @returns whether it was opened now.
 * @throws OperationError UnknownRoute in live mode; NotFound, InvalidValue (currency).
 */
export async function openSandboxWallet(
  context: Context,
  { merchantId, mode, by }: ConsoleAccess & { mode: Mode },
  currency: string,
): Promise<boolean> {
  if (mode !== "sandbox") throw new OperationError(Refusal.UnknownRoute);
  const place = { mode, currency, owner: { merchant: merchantId }, administrator: by };
  return (await openWallet(context, place)).changed;
}

/** The currencies in which a merchant may open a wallet itself: active ones, without an open wallet, in the sandbox. */
export async function openableCurrencies(
  { database: { prisma } }: Context,
  { merchantId, mode }: { merchantId: string; mode: Mode },
): Promise<string[]> {
  if (mode !== "sandbox") return [];
  const open = { merchantId, mode, kind: "merchant", closedAt: null } as const;
  const found = await prisma.currency.findMany({
    where: { active: true, accounts: { none: open } },
    select: { code: true },
    orderBy: { code: "asc" },
  });
  return found.map(({ code }) => code);
}
