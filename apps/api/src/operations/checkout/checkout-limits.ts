import { createHash } from "node:crypto";
import { Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { clientNetwork } from "../../limits/client-network.js";
import { OperationError } from "../../operation-error.js";

/** @throws OperationError TooManyAttempts. */
async function spend(context: Context, key: string, limit: number): Promise<void> {
  const { allowed, resetMs } = await context.memory.requests.spend(key, limit);
  if (allowed) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(resetMs / 1000));
  throw new OperationError(Refusal.TooManyAttempts, { retryAfterSeconds });
}

/**
 * Counts a sign-in of a stranger's address, right or wrong.
 * @returns whether it signs in more often a minute than it may.
 */
export async function isHurried(context: Context, clientAddress: string): Promise<boolean> {
  // The page sends the address header; it may have any length.
  const network = createHash("sha256").update(clientNetwork(clientAddress)).digest("base64url");
  const { allowed } = await context.memory.requests.spend(
    `sign-in:${network}`,
    context.config.signInsAMinute,
  );
  return !allowed;
}

/** Counts a sign-in on an account's own device. @throws OperationError TooManyAttempts. */
export const spendOwnSignIn = (context: Context, deviceId: string): Promise<void> =>
  spend(context, `own-sign-in:${deviceId}`, context.config.signInsAMinute);

/** Counts a confirmation of a shopper. @throws OperationError TooManyAttempts. */
export const spendConfirm = (context: Context, walletUserId: string): Promise<void> =>
  spend(context, `confirm:${walletUserId}`, context.config.confirmsAMinute);

/** Counts a quote of a shopper. @throws OperationError TooManyAttempts. */
export const spendQuote = (context: Context, walletUserId: string): Promise<void> =>
  spend(context, `shopper-quote:${walletUserId}`, context.config.shopperQuotesAMinute);
