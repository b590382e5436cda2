import { createHash } from "node:crypto";

/** The parts that identify a refund of the shop. */
export type RefundOfStore = {
  /** The store's address, without a slash at its end. */
  site: string;
  storeOrderId: number;
  /** Tillgate's transaction that is paid back: a shop that is rebuilt counts its orders from the beginning again. */
  trxId: string;
  /** What the shop had refunded of the order before this one, in minor units. */
  beforeMinor: bigint;
  amountMinor: bigint;
  /** How many refunds with the same five parts Tillgate failed; their key would only return the failed one. */
  failedBefore?: number;
};

/** Hexadecimal digits of the key that the reference repeats: enough to tell an order's refunds apart. */
const REFERENCE_DIGITS = 16;

/**
 * The idempotency key of a refund made in the shop. The same refund has the same key in every process and after every
 * crash, and two of equal amounts in a row differ by what was refunded before them.
 *
 * @returns SHA-256 in hex, 64 characters
 */
export function refundKey({
  site,
  storeOrderId,
  trxId,
  beforeMinor,
  amountMinor,
  failedBefore = 0,
}: RefundOfStore): string {
  const parts: (string | number | bigint)[] = [site, storeOrderId, trxId, beforeMinor, amountMinor];
  if (failedBefore > 0) parts.push(failedBefore);
  return createHash("sha256").update(parts.join("\n"), "utf8").digest("hex");
}

/** The refund's reference at Tillgate. Tillgate returns it in every event and answer about the refund. */
export const refundReference = (orderNumber: string, key: string): string =>
  `${orderNumber} ${key.slice(0, REFERENCE_DIGITS)}`;
