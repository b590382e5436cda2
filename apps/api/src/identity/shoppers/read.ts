import { ErrorCode, type Mode, modeSchema } from "@tillgate/contract";
import { hashSecret } from "@tillgate/database";
import type { Currency } from "@tillgate/money";
import { queryFirstRow } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { getClientNetwork } from "../../platform/client-network.js";
import { consume } from "../../platform/shopper-limits.js";
import { findSessionSql, IS_LIVE_SESSION, ROTATE_AFTER_SECONDS } from "./session.js";

export type Shopper = {
  id: string;
  mode: Mode;
  name: string;
  phone: string | null;
  email: string | null;
  sessionId: string;
  /** The device where the session signed in; null if no longer known. */
  deviceId: string | null;
  wrongPinsElsewhere: boolean;
  rotationDue: boolean;
  /** When the PIN was reset with only a phone number or e-mail address, which hides earlier data; null if nothing is hidden. */
  pinResetAt: Date | null;
};

/** `balance` is in minor units. */
export type ShopperWallet = { id: string; currency: Currency; balance: bigint };

export type SessionWithShopper = {
  /** The session of the presented token, even if it has ended, because forms are bound to it. */
  sessionId: string | null;
  /** Null if the visitor is signed out. */
  shopper: Shopper | null;
  wallets: ShopperWallet[];
};

const rowSchema = z.object({
  id: z.string(),
  user_id: z.string(),
  user_name: z.string(),
  pin_reset_at: z.date().nullable(),
  device_id: z.string().nullable(),
  wrong_pins_elsewhere: z.boolean(),
  rotation_due: z.boolean(),
  lasts: z.boolean(),
  mode: modeSchema,
  phone: z.string().nullable(),
  email: z.string().nullable(),
  wallets: z
    .array(z.object({ id: z.string(), currency: z.string(), digits: z.int(), balance: z.coerce.bigint() }))
    .nullable(),
});

const SHOPPER_QUERY = `
  SELECT s.*, w.wallets FROM (SELECT clock_timestamp() AS read_at) AS now
  CROSS JOIN LATERAL (${findSessionSql("$1", "$2", [`${IS_LIVE_SESSION} AS lasts`, "ws.mode", "u.phone", "u.email"])}
  ) AS s
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('id', a.id, 'currency', a.currency, 'digits', c.digits, 'balance', a.balance::text) ORDER BY a.currency) AS wallets
    FROM accounts a JOIN currencies c ON c.code = a.currency
    WHERE s.lasts AND a.wallet_user_id = s.user_id AND a.kind = 'shopper' AND a.closed_at IS NULL
  ) AS w ON true`;

export async function readShopper(
  { database }: Context,
  session: string | undefined,
): Promise<SessionWithShopper> {
  const row =
    session === undefined
      ? undefined
      : await queryFirstRow(database.pool, rowSchema, SHOPPER_QUERY, [
          Buffer.from(hashSecret(session)),
          ROTATE_AFTER_SECONDS,
        ]);
  if (!row) return { sessionId: null, shopper: null, wallets: [] };
  const { id: sessionId, mode, phone, email } = row;
  return {
    sessionId,
    shopper: row.lasts
      ? {
          id: row.user_id,
          mode,
          name: row.user_name,
          phone,
          email,
          sessionId,
          deviceId: row.device_id,
          wrongPinsElsewhere: row.wrong_pins_elsewhere,
          rotationDue: row.rotation_due,
          pinResetAt: row.pin_reset_at,
        }
      : null,
    wallets: (row.wallets ?? []).map(({ id, currency, digits, balance }) => ({
      id,
      currency: { code: currency, digits },
      balance,
    })),
  };
}

/** @throws OperationError NotSignedIn. */
export async function requireShopper(context: Context, session: string | undefined): Promise<Shopper> {
  const { shopper } = await readShopper(context, session);
  if (!shopper) throw new OperationError(ErrorCode.NotSignedIn);
  return shopper;
}

/** Maximum number of new shoppers, PIN resets and sign-ins without a PIN from one network in the sandbox. */
const ACCOUNTS_PER_MINUTE = 20;

/** Rejects calls outside the sandbox. @throws OperationError SandboxOnly. */
export function requireSandbox(mode: Mode): void {
  if (mode !== "sandbox") throw new OperationError(ErrorCode.SandboxOnly);
}

/** Counts a new shopper, a PIN reset or a sign-in without a PIN against the limit of the client's network. @throws OperationError TooManyAttempts. */
export const consumeSandboxAccountLimit = (context: Context, clientAddress: string): Promise<void> =>
  consume(context, `sandbox-account:${getClientNetwork(clientAddress)}`, ACCOUNTS_PER_MINUTE);
