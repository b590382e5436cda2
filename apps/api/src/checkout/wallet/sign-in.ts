import { ErrorCode, type Mode } from "@tillgate/contract";
import { generatePin, hashPassword } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { attemptPin, exceedsSignInRate, refundPinAttempt } from "../../identity/pin-lockout.js";
import { findWalletUser } from "../../identity/shoppers/find.js";
import { consumeSandboxAccountLimit, requireSandbox } from "../../identity/shoppers/read.js";
import { endSession, type RenewedSession, startSession } from "../../identity/shoppers/session.js";
import { lacksCountry, readPhone } from "../../platform/phone-numbers.js";
import { consumeDeviceSignInLimit } from "../../platform/shopper-limits.js";
import type { Checkout } from "../read.js";
import { findTrustedSubject, type PresentedCookies, type TrustedDevice, trustDevice } from "./devices.js";

/** Hash that is verified for an unknown identifier, so that the response takes as long as for a wrong PIN. */
const decoyHash = hashPassword(generatePin());

/** Returns a phone number with its country code, or any other text trimmed and in lower case. @throws OperationError PhoneWithoutCountry. */
export function normalizeIdentifier(identifier: string, locale?: string | null): string {
  if (lacksCountry(identifier, locale)) throw new OperationError(ErrorCode.PhoneWithoutCountry);
  const phone = identifier.includes("@") ? null : readPhone(identifier, locale);
  return phone ?? identifier.trim().toLowerCase();
}

export type SignedIn = {
  session: RenewedSession;
  device: TrustedDevice;
  /** Whether wrong PINs had locked out unknown devices before this sign-in. */
  wrongPinsBefore: boolean;
};

export type SignIn = {
  identifier: string;
  pin: string;
  mode: Mode;
  /** The order for which the PIN counts as entered; null if the shopper signs in to the wallet. */
  orderId: string | null;
  /** Locale of that order, which determines the country of a phone number without a country code. */
  locale?: string | null;
  clientAddress: string;
  /** The browser's previous cookies. Their session ends, and their device gets a new token. */
  before: PresentedCookies & { browser: string };
  /** Whether the session survives closing the browser. */
  remembered: boolean;
};

/**
 * Signs a shopper in with identifier and PIN. WrongSignIn does not reveal which of them is wrong.
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
  const trusted = await findTrustedSubject(context, user?.id, before);
  const subject = trusted ?? { kind: "identifier" as const, id: `${mode} ${identifier}` };
  if (trusted) await consumeDeviceSignInLimit(context, trusted.id);
  const attempt = {
    subject,
    clientAddress,
    rateExceeded: !trusted && (await exceedsSignInRate(context, clientAddress)),
  };
  const isCorrect = await attemptPin(context, attempt, { hash: user?.pinHash ?? (await decoyHash), pin });
  if (!user?.pinHash || !user.active || !isCorrect) throw new OperationError(ErrorCode.WrongSignIn);
  const wrongBefore = await refundPinAttempt(context, attempt);
  return {
    ...(await startSignedInSession(context, user, { orderId, before, remembered })),
    wrongPinsBefore: wrongBefore >= context.config.wrongPinsUntilLock,
  };
}

/** Starts a session after ending the browser's previous session, and trusts the device. */
export async function startSignedInSession(
  context: Context,
  user: { id: string; mode: Mode },
  { orderId, before, remembered }: Pick<SignIn, "orderId" | "before" | "remembered">,
): Promise<Omit<SignedIn, "wrongPinsBefore">> {
  if (before.session !== undefined) await endSession(context, before.session);
  const device = await trustDevice(context, user, before);
  return { session: await startSession(context, user, { orderId, deviceId: device.id, remembered }), device };
}

/** Finds the shared shopper, who signs in without a PIN. A CHECK constraint allows only a sandbox shopper, so live mode has none. */
const findOpenShopper = ({ database }: Context, mode: Mode) =>
  database.prisma.walletUser.findUnique({
    where: { openIn: mode, active: true },
    select: { id: true, mode: true, name: true },
  });

/**
 * Signs in the shared sandbox shopper, whose PIN counts as entered for this order.
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
