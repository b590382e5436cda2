import { hashSecret } from "@tillgate/database";
import { firstRowOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import type { Checkout, Shopper } from "./read-checkout.js";

const recognisedSchema = z.object({ id: z.string(), name: z.string(), wallet_id: z.string() });

/** An account with a passkey that has signed in on this device, and its wallet in the order's currency. */
export type Recognised = z.output<typeof recognisedSchema>;

/** Of several accounts of a device the one that was there last. Who has reset the PIN alone signs in first. */
const RECOGNISED = `
  SELECT u.id, u.name, a.id AS wallet_id
  FROM wallet_devices d
  JOIN wallet_users u ON u.id = d.wallet_user_id AND u.mode = d.mode AND u.active AND u.pin_reset_at IS NULL
  JOIN accounts a ON a.wallet_user_id = u.id AND a.mode = u.mode AND a.kind = 'shopper' AND a.currency = $3 AND a.closed_at IS NULL
  WHERE d.token_hash = $1 AND d.mode = $2::mode AND d.expires_at > clock_timestamp()
    AND EXISTS (SELECT FROM wallet_passkeys p WHERE p.wallet_user_id = u.id AND p.revoked_at IS NULL)
  ORDER BY d.used_at DESC LIMIT 1`;

/** Who may confirm a payable order with a passkey although nobody is signed in; null for a stranger's browser. */
export async function recogniseDevice(
  { database: { pool } }: Context,
  { order, shopper }: Pick<Checkout, "order" | "shopper">,
  device: string | undefined,
): Promise<Recognised | null> {
  if (shopper !== null || device === undefined || order.status !== "PENDING") return null;
  const values = [Buffer.from(hashSecret(device)), order.mode, order.currency];
  return (await firstRowOf(pool, recognisedSchema, RECOGNISED, values)) ?? null;
}

/**
 * The checkout as the recognised account confirms it: from its wallet in the order's currency alone. Whether that holds enough is
 * decided when the money moves, after the passkey was verified: a device by itself must not tell a balance.
 * @returns null where nobody is recognised.
 */
export async function checkoutOfDevice(
  context: Context,
  checkout: Checkout,
  device: string | undefined,
): Promise<(Checkout & { shopper: Shopper }) | null> {
  const recognised = await recogniseDevice(context, checkout, device);
  if (recognised === null) return null;
  const { order, currency } = checkout;
  const { id, name, wallet_id: walletId } = recognised;
  const price = { amount: order.amount, rate: null };
  return {
    ...checkout,
    shopper: {
      ...{ id, name, deviceId: null, wrongPinsElsewhere: false, pinFresh: false, passkeys: 1 },
      ...{ passkeyAdded: false, shared: false, rotationDue: false, hidden: true },
    },
    wallets: [{ id: walletId, currency, balance: order.amount, closed: false, hidden: true, price }],
    offer: null,
  };
}
