import { ErrorCode } from "@tillgate/contract";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { clientNetwork } from "./client-network.js";

/** @throws OperationError TooManyAttempts. */
export async function consume(context: Context, key: string, limit: number): Promise<void> {
  const { allowed, resetMs } = await context.memory.requests.consume(key, limit);
  if (allowed) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(resetMs / 1000));
  throw new OperationError(ErrorCode.TooManyAttempts, { retryAfterSeconds });
}

/** Counts a sign-in on an account's own device. @throws OperationError TooManyAttempts. */
export const consumeDeviceSignInLimit = (context: Context, deviceId: string): Promise<void> =>
  consume(context, `own-sign-in:${deviceId}`, context.config.signInsAMinute);

/** Counts a confirmation of a shopper. @throws OperationError TooManyAttempts. */
export const consumeConfirmationLimit = (context: Context, walletUserId: string): Promise<void> =>
  consume(context, `confirm:${walletUserId}`, context.config.confirmsAMinute);

/** Counts a quote of a shopper. @throws OperationError TooManyAttempts. */
export const consumeQuoteLimit = (context: Context, walletUserId: string): Promise<void> =>
  consume(context, `shopper-quote:${walletUserId}`, context.config.shopperQuotesAMinute);

/** Orders that one address may make through payment links in a minute: a counter's network has many phones behind one. */
const LINK_ORDERS_A_MINUTE = 60;

/** Counts an order that a visitor makes through a payment link. @throws OperationError TooManyAttempts. */
export const consumeLinkOrderLimit = (context: Context, clientAddress: string): Promise<void> =>
  consume(context, `link-order:${clientNetwork(clientAddress)}`, LINK_ORDERS_A_MINUTE);
