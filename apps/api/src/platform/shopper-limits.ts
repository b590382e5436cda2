import { Refusal } from "@tillgate/contract";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { clientNetwork } from "./client-network.js";

/** @throws OperationError TooManyAttempts. */
export async function spend(context: Context, key: string, limit: number): Promise<void> {
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

/** Orders that one address may make through payment links in a minute: a counter's network has many phones behind one. */
const LINK_ORDERS_A_MINUTE = 60;

/** Counts an order that a visitor makes through a payment link. @throws OperationError TooManyAttempts. */
export const spendLinkOrder = (context: Context, clientAddress: string): Promise<void> =>
  spend(context, `link-order:${clientNetwork(clientAddress)}`, LINK_ORDERS_A_MINUTE);
