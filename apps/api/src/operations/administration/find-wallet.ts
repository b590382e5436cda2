import { FieldRule, type Mode } from "@tillgate/contract";
import type { AccountModel, WalletUserModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { isIssuedId } from "../../ids/issued-id.js";
import { invalidValue, notFound } from "../../operation-error.js";
import { findWalletUser } from "../../readers/find-wallet-user.js";
import { lacksCountry } from "../../readers/phone-numbers.js";
import { findMerchant } from "./find-merchant.js";

/** Whose wallet: a merchant's (id or name) or a wallet user's (id, phone or e-mail). */
export type WalletOwner = { merchant: string } | { user: string };

/** The owner as the database's columns name it. */
export type FoundOwner =
  | { kind: "merchant"; merchantId: string; name: string }
  | { kind: "shopper"; walletUserId: string; name: string };

/** Finds a wallet user of a mode by id, phone in any usual spelling, or e-mail. @throws OperationError NotFound, InvalidValue. */
export async function requireUser(context: Context, mode: Mode, named: string): Promise<WalletUserModel> {
  const user = isIssuedId(named)
    ? await context.database.prisma.walletUser.findFirst({ where: { id: named, mode } })
    : await findWalletUser(context, named.includes("@") ? { email: named } : { phone: named }, mode);
  if (!user && lacksCountry(named)) throw invalidValue(`${named} ${FieldRule.PhoneWithCountry.text}.`);
  if (!user) throw notFound(`${mode} wallet user ${named}`);
  return user;
}

/** @throws OperationError NotFound. */
export async function findOwner(context: Context, mode: Mode, owner: WalletOwner): Promise<FoundOwner> {
  if ("merchant" in owner) {
    const { id, name } = await findMerchant(context, owner.merchant);
    return { kind: "merchant", merchantId: id, name };
  }
  const { id, name } = await requireUser(context, mode, owner.user);
  return { kind: "shopper", walletUserId: id, name };
}

/** Selects an owner's wallet among accounts. */
export const ownedBy = (owner: FoundOwner) =>
  owner.kind === "merchant"
    ? { kind: owner.kind, merchantId: owner.merchantId }
    : { kind: owner.kind, walletUserId: owner.walletUserId };

export type WalletPlace = { mode: Mode; currency: string; owner: WalletOwner };

/** Finds a wallet, open or closed. @throws OperationError NotFound. */
export async function findWallet(
  context: Context,
  { mode, currency, owner: named }: WalletPlace,
): Promise<{ wallet: AccountModel; owner: FoundOwner }> {
  const owner = await findOwner(context, mode, named);
  const wallet = await context.database.prisma.account.findFirst({
    where: { mode, currency, ...ownedBy(owner) },
  });
  if (!wallet) throw notFound(`${mode} ${currency} wallet of ${owner.name}`);
  return { wallet, owner };
}
