import { ErrorCode } from "@tillgate/contract";
import { type ConsoleUserModel, generateSecret, hashPassword } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { getClientNetwork } from "../../platform/client-network.js";
import { attemptPin, exceedsSignInRate, type PinSubject, refundPinAttempt } from "../pin-lockout.js";
import {
  type ConsoleClient,
  type ConsoleSession,
  endConsoleSession,
  type SessionToken,
  startConsoleSession,
} from "./session.js";

/** A hash that is verified for an unknown e-mail address, so that the response takes as long as for a wrong password. */
const decoyHash = hashPassword(generateSecret(""));

export type ConsoleSignIn = ConsoleClient & {
  email: string;
  password: string;
  /** The browser's previous session token; that session ends. */
  before: string | undefined;
};

/**
 * @throws OperationError WrongEmailOrPassword, SignInLocked, TooManyAttempts; after a correct password, UserDisabled, or NotSignedIn if the
 * password is changed in the meantime.
 */
export async function signInToConsole(context: Context, input: ConsoleSignIn): Promise<SessionToken> {
  const { clientAddress, password, before: previousToken } = input;
  const email = input.email.trim().toLowerCase();
  const user = await context.database.prisma.consoleUser.findUnique({ where: { email } });
  const attempt = {
    subject: await findSubject(context, user, { email, clientAddress }),
    clientAddress,
    rateExceeded: await exceedsSignInRate(context, clientAddress),
  };
  const hash = user?.passwordHash ?? (await decoyHash);
  const isCorrect = await attemptPin(context, attempt, { hash, pin: password });
  if (!user || !isCorrect) throw new OperationError(ErrorCode.WrongEmailOrPassword);
  await refundPinAttempt(context, attempt);
  if (user.disabledAt) throw new OperationError(ErrorCode.UserDisabled);
  if (previousToken !== undefined) await endConsoleSession(context, previousToken);
  return startConsoleSession(context, user, input);
}

/**
 * Returns the subject to count wrong passwords for. If the user has signed in from this network before, it is the user in this network, so that
 * outsiders cannot lock the user out there; otherwise, it is the typed e-mail address.
 */
async function findSubject(
  { database: { prisma } }: Context,
  user: Pick<ConsoleUserModel, "id"> | null,
  { email, clientAddress }: { email: string; clientAddress: string },
): Promise<PinSubject> {
  const network = getClientNetwork(clientAddress);
  const recentSession =
    user &&
    (await prisma.consoleSession.findFirst({
      where: { userId: user.id, clientNetwork: network, signedInAt: { not: null } },
      select: { id: true },
    }));
  return recentSession
    ? { kind: "console own", id: `${user.id} ${network}` }
    : { kind: "console", id: email };
}

/** The password that a signed-in user repeats before changing how they sign in. */
export type ConfirmedPassword = { password: string; clientAddress: string };

/**
 * Verifies the password of a signed-in user. Wrong passwords count together with wrong second-factor codes.
 * @returns the hash that matched. @throws OperationError WrongPassword, SignInLocked.
 */
export async function confirmPassword(
  context: Context,
  { user }: ConsoleSession,
  { password, clientAddress }: ConfirmedPassword,
): Promise<string> {
  const attempt = { subject: { kind: "second factor" as const, id: user.id }, clientAddress };
  const { passwordHash } = await context.database.prisma.consoleUser.findUniqueOrThrow({
    where: { id: user.id },
  });
  if (!(await attemptPin(context, attempt, { hash: passwordHash, pin: password })))
    throw new OperationError(ErrorCode.WrongPassword);
  await refundPinAttempt(context, attempt);
  return passwordHash;
}
