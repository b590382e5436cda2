import type { Mode } from "@tillgate/contract";
import { generatePin, hashPassword, type WalletUserModel } from "@tillgate/database";
import type { Change } from "../audit/administrator.js";
import { changeWithAudit, recordChange, rejectDuplicate } from "../audit/change.js";
import { endSignIns } from "../checkout/wallet/sign-ins.js";
import type { Context } from "../context.js";
import { invalidValue } from "../errors.js";
import { requireEmail } from "../identity/email.js";
import { clearShopperLocks } from "../identity/pin-lockout.js";
import { requireCurrency } from "../money/currencies.js";
import { openOne, requireUser } from "../money/wallets/open.js";
import { readPhone } from "../platform/phone-numbers.js";

const MAX_NAME_LENGTH = 120;

export type NewUser = Change & {
  mode: Mode;
  name: string;
  phone?: string | undefined;
  email?: string | undefined;
  /** Currencies of the wallets to open. */
  currencies?: readonly string[] | undefined;
};

/**
 * Creates a wallet user with a random PIN, which cannot be retrieved later. Phone number and e-mail address are unique per mode; at least one is
 * required, for signing in.
 * @throws OperationError InvalidValue, AlreadyExists, SubjectNotFound (currency).
 */
export async function createUser(
  context: Context,
  input: NewUser,
): Promise<{ user: WalletUserModel; pin: string }> {
  const name = input.name.trim();
  if (name === "" || name.length > MAX_NAME_LENGTH)
    throw invalidValue(`A customer's name must have 1 to ${MAX_NAME_LENGTH} characters.`);
  const { mode } = input;
  const phone = input.phone === undefined ? null : readPhone(input.phone);
  if (input.phone !== undefined && phone === null)
    throw invalidValue(`${input.phone} is not a phone number with a country code.`);
  const email = input.email === undefined ? null : requireEmail(input.email);
  if (phone === null && email === null)
    throw invalidValue("A customer needs a phone number or an e-mail address.");
  const currencies = await Promise.all(
    [...new Set(input.currencies ?? [])].map((code) => requireCurrency(context, code)),
  );
  const pin = generatePin();
  const pinHash = await hashPassword(pin);
  return rejectDuplicate(`A ${mode} customer already has this phone number or e-mail address.`, () =>
    changeWithAudit(context, input, async (tx) => {
      const user = await tx.walletUser.create({ data: { mode, name, phone, email, pinHash } });
      for (const { code } of currencies)
        await openOne(tx, {
          mode,
          currency: code,
          owner: { kind: "shopper", walletUserId: user.id, name },
        });
      await recordChange(tx, {
        administrator: input.administrator,
        merchantId: null,
        action: "user.create",
        subject: user.id,
        details: { mode, name, phone, email, currencies: currencies.map(({ code }) => code).join(" ") },
      });
      return { user, pin };
    }),
  );
}

const MAX_LISTED = 200;

export type ListedUser = {
  id: string;
  name: string;
  phone: string | null;
  email: string | null;
  active: boolean;
  currencies: string[];
  createdAt: Date;
};

/** Lists up to 200 wallet users, sorted by name, without test shoppers. `search` matches any part of name, phone or e-mail, ignoring case. */
export async function listUsers(
  { database: { prisma } }: Context,
  { mode, search }: { mode: Mode; search?: string | undefined },
): Promise<ListedUser[]> {
  const contains = { contains: search ?? "", mode: "insensitive" as const };
  const users = await prisma.walletUser.findMany({
    where: {
      mode,
      testOfMerchantId: null,
      ...(search === undefined ? {} : { OR: [{ name: contains }, { phone: contains }, { email: contains }] }),
    },
    include: {
      accounts: { where: { closedAt: null }, select: { currency: true }, orderBy: { currency: "asc" } },
    },
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: MAX_LISTED,
  });
  return users.map(({ id, name, phone, email, active, accounts, createdAt }) => ({
    id,
    name,
    phone,
    email,
    active,
    currencies: accounts.map(({ currency }) => currency),
    createdAt,
  }));
}

/**
 * Activates or deactivates a wallet user. Deactivation ends the user's sessions and stops payouts to the user, but not refunds.
 * @throws the errors of {@link requireUser}.
 */
export async function setUserActive(
  context: Context,
  input: Change & { mode: Mode; user: string; active: boolean },
): Promise<{ user: WalletUserModel; changed: boolean }> {
  const { id } = await requireUser(context, input.mode, input.user);
  const { active } = input;
  return changeWithAudit(context, input, async (tx) => {
    const { count } = await tx.walletUser.updateMany({ where: { id, active: !active }, data: { active } });
    if (count === 1) {
      if (!active)
        await tx.$executeRaw`UPDATE wallet_sessions SET revoked_at = clock_timestamp()
          WHERE wallet_user_id = ${id}::uuid AND revoked_at IS NULL`;
      await recordChange(tx, {
        administrator: input.administrator,
        merchantId: null,
        action: active ? "user.activate" : "user.deactivate",
        subject: id,
        details: { mode: input.mode },
      });
    }
    return { user: await tx.walletUser.findUniqueOrThrow({ where: { id } }), changed: count === 1 };
  });
}

/**
 * Sets a random PIN, which cannot be retrieved later. Ends all sessions, removes all trusted devices, and clears the lockouts of unknown devices.
 * Data hidden by a PIN reset that required only a phone number or e-mail address becomes visible again.
 * @throws the errors of {@link requireUser}; OperationError InvalidValue for a test shopper, which has no PIN.
 */
export async function resetPin(
  context: Context,
  input: Change & { mode: Mode; user: string },
): Promise<{ user: WalletUserModel; pin: string }> {
  const { id, testOfMerchantId } = await requireUser(context, input.mode, input.user);
  if (testOfMerchantId !== null) throw invalidValue("A built-in test shopper has no PIN.");
  const pin = generatePin();
  const pinHash = await hashPassword(pin);
  const user = await changeWithAudit(context, input, async (tx) => {
    const updated = await tx.walletUser.update({ where: { id }, data: { pinHash, pinResetAt: null } });
    await endSignIns((sql, values) => tx.$executeRawUnsafe(sql, ...values), id, {
      sessionId: null,
      deviceId: null,
    });
    await recordChange(tx, {
      administrator: input.administrator,
      merchantId: null,
      action: "user.reset_pin",
      subject: id,
      details: { mode: input.mode },
    });
    return updated;
  });
  if (!input.dryRun) await clearShopperLocks(context, user);
  return { user, pin };
}
