import { z } from "zod";
import { invalidValue } from "../operation-error.js";
import type { WalletOwner } from "../operations/administration/find-wallet.js";
import { argument, option } from "./command.js";

/** Fields that several commands share. */
export const mode = option(
  "--mode <mode>",
  "sandbox or live (required)",
  z.enum(["sandbox", "live"], { error: "must be sandbox or live" }),
);
export const merchant = argument("<merchant>", "the merchant's id or exact name", z.string());

export const currencyCode = z
  .string()
  .transform((text) => text.toUpperCase())
  .refine((code) => /^[A-Z0-9]{2,10}$/.test(code), { error: "must be a currency code such as EUR" });
export const currency = argument("<currency>", "currency code, such as EUR", currencyCode);
export const currencyOption = option(
  "--currency <code>",
  "currency code, such as EUR (required)",
  currencyCode.clone(),
);
export const reason = option(
  "--reason <text>",
  "why; kept in the audit record",
  z.string().max(500).optional(),
);

/** Whose wallet: exactly one of the two. */
export const ownerFields = {
  merchant: option("--merchant <merchant>", "owner: a merchant's id or exact name", z.string().optional()),
  user: option("--user <user>", "owner: a wallet user's id, phone or e-mail", z.string().optional()),
};

/** @throws OperationError InvalidValue unless exactly one owner is named. */
export function owner({
  merchant: named,
  user,
}: {
  merchant?: string | undefined;
  user?: string | undefined;
}): WalletOwner {
  if (named !== undefined && user === undefined) return { merchant: named };
  if (user !== undefined && named === undefined) return { user };
  throw invalidValue("Name the owner by either --merchant or --user.");
}

export const onOff = z.enum(["on", "off"], { error: "must be on or off" });
