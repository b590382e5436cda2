import { ErrorCode, type Mode } from "@tillgate/contract";
import { hashSlowly, newPin } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { attemptPin, exceedsSignInRate, refundPinAttempt } from "../../identity/pin-lockout.js";
import { findWalletUser } from "../../identity/shoppers/find.js";
import { consumeSandboxAccountLimit, requireSandbox } from "../../identity/shoppers/read.js";
import { endSession, type RenewedSession, startSession } from "../../identity/shoppers/session.js";
import { lacksCountry, readPhone } from "../../platform/phone-numbers.js";
import { consumeDeviceSignInLimit } from "../../platform/shopper-limits.js";
import type { Checkout } from "../read.js";
import { findTrusted, type PresentedCookies, type TrustedDevice, trustDevice } from "./devices.js";

/** A decoy hash that no PIN has: an unknown identifier costs the same time as a wrong PIN. */
const decoyHash = hashSlowly(newPin());

/**
 * The typed phone number or e-mail in one spelling; its attempts are counted under it. Whether an account has it plays no part.
 * @throws OperationError PhoneWithoutCountry.
 */
export function normalizeIdentifier(identifier: string, locale?: string | null): string {
  if (lacksCountry(identifier, locale)) throw new OperationError(ErrorCode.PhoneWithoutCountry);
  const phone = identifier.includes("@") ? null : readPhone(identifier, locale);
  return phone ?? identifier.trim().toLowerCase();
}

export type SignedIn = {
  session: RenewedSession;
  device: TrustedDevice;
  /** So many wrong PINs came before that strangers were locked out. */
  wrongPinsBefore: boolean;
};

export type SignIn = {
  identifier: string;
  pin: string;
  mode: Mode;
  /** The order on whose page it happens: the PIN counts for it. Null: in the wallet, for no order. */
  orderId: string | null;
  /** Of that order: its country is the one of a phone number without a country code. */
  locale?: string | null;
  clientAddress: string;
  /** What the browser had: its session ends, its device gets another token. */
  before: PresentedCookies & { browser: string };
  /** The session outlives the browser. */
  remembered: boolean;
};

/**
 * Signs a wallet user in with phone or e-mail and PIN. An unknown identifier and a wrong PIN look the same.
 * @throws OperationError PhoneWithoutCountry, WrongSignIn, TooManyAttempts, Locked, DeviceLocked.
 */
export async function signIn(context: Context, input: SignIn): Promise<SignedIn> {
  const { mode, orderId, pin, clientAddress, before, remembered } = input;
  const identifier = normalizeIdentifier(input.identifier, input.locale);
  const user = await findWalletUser(
    context,
    identifier.includes("@") ? { email: identifier } : { phone: identifier },
    mode,
  );
  const own = await findTrusted(context, user?.id, before);
  const subject = own ?? { kind: "identifier" as const, id: `${mode} ${identifier}` };
  if (own) await consumeDeviceSignInLimit(context, own.id);
  const attempt = {
    subject,
    clientAddress,
    hurried: !own && (await exceedsSignInRate(context, clientAddress)),
  };
  const right = await attemptPin(context, attempt, { hash: user?.pinHash ?? (await decoyHash), pin });
  if (!user?.pinHash || !user.active || !right) throw new OperationError(ErrorCode.WrongSignIn);
  const wrongBefore = await refundPinAttempt(context, attempt);
  return {
    ...(await startSignedInSession(context, user, { orderId, before, remembered })),
    wrongPinsBefore: wrongBefore >= context.config.wrongPinsUntilLock,
  };
}

/** Starts the session of a shopper who may come in. The one that the browser had ends, and the device is known from now on. */
export async function startSignedInSession(
  context: Context,
  user: { id: string; mode: Mode },
  { orderId, before, remembered }: Pick<SignIn, "orderId" | "before" | "remembered">,
): Promise<Omit<SignedIn, "wrongPinsBefore">> {
  if (before.session !== undefined) await endSession(context, before.session);
  const device = await trustDevice(context, user, before);
  return { session: await startSession(context, user, { orderId, deviceId: device.id, remembered }), device };
}

/**
 * The shopper as whom anybody signs in without a PIN. A check of the table lets it be a sandbox shopper only, so a live order
 * finds nobody.
 */
const findOpenShopper = ({ database }: Context, mode: Mode) =>
  database.prisma.walletUser.findUnique({
    where: { openIn: mode, active: true },
    select: { id: true, mode: true, name: true },
  });

/**
 * Signs in without a PIN, as the sandbox's open shopper. It counts as the PIN for this order: who tries a shop out pays with
 * one more step.
 * @throws OperationError SandboxOnly, UnknownShopper, TooManyAttempts.
 */
export async function signInWithoutPin(
  context: Context,
  { order }: Pick<Checkout, "order">,
  { clientAddress, before }: { clientAddress: string; before: PresentedCookies & { browser: string } },
): Promise<SignedIn> {
  requireSandbox(order.mode);
  await consumeSandboxAccountLimit(context, clientAddress);
  const user = await findOpenShopper(context, order.mode);
  if (!user) throw new OperationError(ErrorCode.UnknownShopper);
  return {
    ...(await startSignedInSession(context, user, { orderId: order.id, before, remembered: false })),
    wrongPinsBefore: false,
  };
}
