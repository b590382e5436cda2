import { Refusal } from "@tillgate/contract";
import { type ConsoleUserModel, hashSlowly, newSecret } from "@tillgate/database";
import type { Context } from "../../context.js";
import { clientNetwork } from "../../limits/client-network.js";
import { attemptPin, forgivePin, isHurried, type PinSubject } from "../../limits/pin-attempts.js";
import { OperationError } from "../../operation-error.js";
import {
  type ConsoleClient,
  endConsoleSession,
  type SessionToken,
  startConsoleSession,
} from "./console-session.js";

/** A decoy hash that no password has: an unknown e-mail costs the same time as a wrong password. */
const decoyHash = hashSlowly(newSecret(""));

export type ConsoleSignIn = ConsoleClient & {
  email: string;
  password: string;
  /** The token that the browser had: its session ends. */
  before: string | undefined;
};

/**
 * Signs a console user in with e-mail and password. An unknown e-mail and a wrong password look the same.
 * @throws OperationError WrongEmailOrPassword, SignInLocked, TooManyAttempts; UserDisabled where the password is right.
 */
export async function consoleSignIn(context: Context, input: ConsoleSignIn): Promise<SessionToken> {
  const { clientAddress, password, before } = input;
  const email = input.email.trim().toLowerCase();
  const user = await context.database.prisma.consoleUser.findUnique({ where: { email } });
  const attempt = {
    subject: await subjectOf(context, user, { email, clientAddress }),
    clientAddress,
    hurried: await isHurried(context, clientAddress),
  };
  const hash = user?.passwordHash ?? (await decoyHash);
  const right = await attemptPin(context, attempt, { hash, pin: password });
  if (!user || !right) throw new OperationError(Refusal.WrongEmailOrPassword);
  await forgivePin(context, attempt);
  if (user.disabledAt) throw new OperationError(Refusal.UserDisabled);
  if (before !== undefined) await endConsoleSession(context, before);
  return startConsoleSession(context, user, input);
}

/**
 * What wrong passwords are counted under: the typed e-mail, or, where the user has signed in from this network lately, user
 * and network. So a stranger elsewhere cannot lock the user out.
 */
async function subjectOf(
  { database: { prisma } }: Context,
  user: Pick<ConsoleUserModel, "id"> | null,
  { email, clientAddress }: { email: string; clientAddress: string },
): Promise<PinSubject> {
  const network = clientNetwork(clientAddress);
  const own =
    user &&
    (await prisma.consoleSession.findFirst({
      where: { userId: user.id, clientNetwork: network, signedInAt: { not: null } },
      select: { id: true },
    }));
  return own ? { kind: "console own", id: `${user.id} ${network}` } : { kind: "console", id: email };
}
