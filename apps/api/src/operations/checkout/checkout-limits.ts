import { Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";

/** @throws OperationError TooManyAttempts. */
async function spend(context: Context, key: string, limit: number): Promise<void> {
  const { allowed, resetMs } = await context.memory.requests.spend(key, limit);
  if (allowed) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(resetMs / 1000));
  throw new OperationError(Refusal.TooManyAttempts, { retryAfterSeconds });
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
