import { ErrorCode, FieldRule, type Mode } from "@tillgate/contract";
import type { AccountModel, WalletUserModel } from "@tillgate/database";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import type { Change } from "../../audit/administrator.js";
import { changeWithAudit, recordChange, rejectDuplicate, type Transaction } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { errorWith, invalidValue, notFound, OperationError } from "../../errors.js";
import type { ConsoleAccess } from "../../identity/console/access.js";
import { findMerchant } from "../../identity/merchants.js";
import { findWalletUser } from "../../identity/shoppers/find.js";
import { isIssuedId } from "../../platform/ids.js";
import { lacksCountry } from "../../platform/phone-numbers.js";

/** A merchant by ID or name, or a wallet user by ID, phone or e-mail. */
export type WalletOwner = { merchant: string } | { user: string };

type FoundOwner =
  | { kind: "merchant"; merchantId: string; name: string }
  | { kind: "shopper"; walletUserId: string; name: string };

/** @throws OperationError SubjectNotFound; InvalidValue for a phone number without its country code. */
export async function requireUser(
  context: Context,
  mode: Mode,
  idOrContact: string,
): Promise<WalletUserModel> {
  const user = isIssuedId(idOrContact)
    ? await context.database.prisma.walletUser.findFirst({ where: { id: idOrContact, mode } })
    : await findWalletUser(
        context,
        idOrContact.includes("@") ? { email: idOrContact } : { phone: idOrContact },
        mode,
      );
  if (!user && lacksCountry(idOrContact))
    throw invalidValue(`${idOrContact} ${FieldRule.PhoneWithCountry.text}.`);
  if (!user) throw notFound(`${mode} customer ${idOrContact}`);
  return user;
}

/** @throws OperationError SubjectNotFound; InvalidValue for a phone number without its country code, or if several merchants have this name. */
export async function findOwner(context: Context, mode: Mode, owner: WalletOwner): Promise<FoundOwner> {
  if ("merchant" in owner) {
    const { id, name } = await findMerchant(context, owner.merchant);
    return { kind: "merchant", merchantId: id, name };
  }
  const { id, name } = await requireUser(context, mode, owner.user);
  return { kind: "shopper", walletUserId: id, name };
}

export const toOwnerFields = (owner: FoundOwner) =>
  owner.kind === "merchant"
    ? { kind: owner.kind, merchantId: owner.merchantId }
    : { kind: owner.kind, walletUserId: owner.walletUserId };

export type WalletKey = { mode: Mode; currency: string; owner: WalletOwner };

/** Finds a wallet, even if it is closed. @throws OperationError SubjectNotFound, and the errors of {@link findOwner}. */
export async function findWallet(
  context: Context,
  { mode, currency, owner: idOrContact }: WalletKey,
): Promise<{ wallet: AccountModel; owner: FoundOwner }> {
  const owner = await findOwner(context, mode, idOrContact);
  const wallet = await context.database.prisma.account.findFirst({
    where: { mode, currency, ...toOwnerFields(owner) },
  });
  if (!wallet) throw notFound(`${mode} ${currency} wallet of ${owner.name}`);
  return { wallet, owner };
}

export type OpenedWallet = { id: string; owner: string; changed: boolean };

/**
 * Opens a wallet, or reopens a closed wallet. For a merchant's sandbox wallet, also opens a wallet of the merchant's test shopper in this currency.
 * @throws the errors of {@link findOwner}; OperationError SubjectNotFound, InvalidValue for an inactive currency, AlreadyExists if
 * another call just opened the wallet.
 */
export async function openWallet(context: Context, input: Change & WalletKey): Promise<OpenedWallet> {
  const { mode, currency } = input;
  const owner = await findOwner(context, mode, input.owner);
  return rejectDuplicate("Someone else opened this wallet at the same time.", () =>
    changeWithAudit(context, input, async (tx) => {
      const row = await tx.currency.findUnique({ where: { code: currency } });
      if (!row) throw notFound(`currency ${currency}`);
      if (!row.active) throw invalidValue(`${currency} is not active.`);
      const opened = await openWithAudit(tx, input.administrator, { mode, currency, owner });
      return { ...opened, owner: owner.name };
    }),
  );
}

type NewWallet = { mode: WalletKey["mode"]; currency: string; owner: FoundOwner };

/** Opens a wallet like {@link openWallet}, but in the caller's transaction, and for a currency that the caller has checked. */
export async function openWithAudit(
  tx: Transaction,
  administrator: Change["administrator"],
  { mode, currency, owner }: NewWallet,
): Promise<{ id: string; changed: boolean }> {
  const opened = await openOne(tx, { mode, currency, owner });
  if (owner.kind === "merchant" && mode === "sandbox") {
    const tester = await tx.walletUser.findUnique({ where: { testOfMerchantId: owner.merchantId } });
    if (tester)
      await openOne(tx, {
        mode,
        currency,
        owner: { kind: "shopper", walletUserId: tester.id, name: tester.name },
      });
  }
  if (opened.changed)
    await recordChange(tx, {
      administrator,
      merchantId: owner.kind === "merchant" ? owner.merchantId : null,
      action: "wallet.open",
      subject: opened.id,
      details: { mode, currency, owner: owner.name },
    });
  return opened;
}

/**
 * Opens one wallet, or reopens a closed one, in the caller's transaction, without an audit record. `changed` is false if the wallet was already
 * open.
 */
export async function openOne(
  tx: Transaction,
  { mode, currency, owner }: NewWallet,
): Promise<{ id: string; changed: boolean }> {
  const existing = await tx.account.findFirst({ where: { mode, currency, ...toOwnerFields(owner) } });
  if (!existing) {
    const { id } = await tx.account.create({
      data: { mode, currency, balance: 0n, ...toOwnerFields(owner) },
    });
    return { id, changed: true };
  }
  const { count } = await tx.account.updateMany({
    where: { id: existing.id, closedAt: { not: null } },
    data: { closedAt: null },
  });
  return { id: existing.id, changed: count === 1 };
}

const lockedSchema = z.object({ id: z.string(), balance: z.bigint(), closed: z.boolean() });

/**
 * Closes a wallet whose balance is zero. A merchant's wallet must also have nothing held for pending payouts or refunds.
 * @throws the errors of {@link findWallet}; OperationError WalletNotEmpty.
 */
export async function closeWallet(
  context: Context,
  input: Change & WalletKey,
): Promise<{ id: string; owner: string; changed: boolean }> {
  const { wallet, owner } = await findWallet(context, input);
  const { id, mode, currency, merchantId } = wallet;
  return changeWithAudit(context, input, async (tx) => {
    // The locks keep an empty wallet empty until the commit. They are taken in ID order, like those of bookings, to prevent deadlocks.
    const rows = await tx.$queryRaw<unknown[]>`
      SELECT id, balance, closed_at IS NOT NULL AS closed FROM accounts
      WHERE id = ${id}::uuid OR (merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode AND currency = ${currency} AND kind = 'hold')
      ORDER BY id FOR NO KEY UPDATE`;
    const locked = parseRows(lockedSchema, rows);
    if (locked.some((account) => account.id === id && account.closed))
      return { id, owner: owner.name, changed: false };
    const full = locked.find(({ balance }) => balance > 0n);
    if (full)
      throw errorWith(
        ErrorCode.WalletNotEmpty,
        full.id === id
          ? ErrorCode.WalletNotEmpty.text
          : "Payouts or refunds of this wallet are pending approval.",
      );
    await tx.$executeRaw`UPDATE accounts SET closed_at = clock_timestamp() WHERE id = ${id}::uuid`;
    await recordChange(tx, {
      administrator: input.administrator,
      merchantId,
      action: "wallet.close",
      subject: id,
      details: { mode, currency, owner: owner.name },
    });
    return { id, owner: owner.name, changed: true };
  });
}

/** @returns whether this call opened the wallet. @throws OperationError UnknownRoute in live mode; the errors of {@link openWallet}. */
export async function openSandboxWallet(
  context: Context,
  { merchantId, mode, by }: ConsoleAccess & { mode: Mode },
  currency: string,
): Promise<boolean> {
  if (mode !== "sandbox") throw new OperationError(ErrorCode.UnknownRoute);
  const wallet = { mode, currency, owner: { merchant: merchantId }, administrator: by };
  return (await openWallet(context, wallet)).changed;
}

/** Lists the active currencies in which a merchant has no open wallet but may open one without an administrator. The list is empty in live mode. */
export async function findOpenableCurrencies(
  { database: { prisma } }: Context,
  { merchantId, mode }: { merchantId: string; mode: Mode },
): Promise<string[]> {
  if (mode !== "sandbox") return [];
  const open = { merchantId, mode, kind: "merchant", closedAt: null } as const;
  const currencies = await prisma.currency.findMany({
    where: { active: true, accounts: { none: open } },
    select: { code: true },
    orderBy: { code: "asc" },
  });
  return currencies.map(({ code }) => code);
}
