import { ErrorCode } from "@tillgate/contract";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { getClientNetwork } from "./client-network.js";

/** @throws OperationError TooManyAttempts. */
export async function consume(context: Context, key: string, limit: number): Promise<void> {
  const { allowed, resetMs } = await context.memory.requests.consume(key, limit);
  if (allowed) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(resetMs / 1000));
  throw new OperationError(ErrorCode.TooManyAttempts, { retryAfterSeconds });
}

/** @throws OperationError TooManyAttempts. */
export const consumeDeviceSignInLimit = (context: Context, deviceId: string): Promise<void> =>
  consume(context, `own-sign-in:${deviceId}`, context.config.signInsPerMinute);

/**
 * Counts a payment, its passkey challenge, a conversion, a top-up or a PIN change against the shopper's shared limit.
 * @throws OperationError TooManyAttempts.
 */
export const consumeConfirmationLimit = (context: Context, walletUserId: string): Promise<void> =>
  consume(context, `confirm:${walletUserId}`, context.config.confirmsPerMinute);

/** @throws OperationError TooManyAttempts. */
export const consumeQuoteLimit = (context: Context, walletUserId: string): Promise<void> =>
  consume(context, `shopper-quote:${walletUserId}`, context.config.shopperQuotesPerMinute);

/** Limit per network. It is high, because many phones may share a shop's network. */
const LINK_ORDERS_PER_MINUTE = 60;

/** @throws OperationError TooManyAttempts. */
export const consumeLinkOrderLimit = (context: Context, clientAddress: string): Promise<void> =>
  consume(context, `link-order:${getClientNetwork(clientAddress)}`, LINK_ORDERS_PER_MINUTE);
