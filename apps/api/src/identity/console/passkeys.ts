import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { ErrorCode } from "@tillgate/contract";
import { changeWithAudit } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { isIssuedId } from "../../platform/ids.js";
import {
  createRegistrationOptions,
  type RelyingParty,
  requireFreePasskeySlot,
  storeChallenge,
  takeChallenge,
  toRelyingParty,
  verifyNewPasskey,
} from "../passkeys.js";
import {
  type AddedSecondFactor,
  addSecondFactor,
  lockSecondFactors,
  resetWithoutSecondFactor,
} from "./own-second-factors.js";
import { type ConsoleSession, recordUserChange, requireFreshSecondFactor } from "./session.js";
import { type ConfirmedPassword, confirmPassword } from "./sign-in.js";

/** The passkey is used in addition to the password, so the authenticator need not verify the person. */
export const VERIFICATION = "preferred";

/** @throws OperationError PasskeysNotAvailable if the console's URL is not configured. */
export function getConsoleRelyingParty({ config: { consoleUrl } }: Pick<Context, "config">): RelyingParty {
  if (consoleUrl === undefined) throw new OperationError(ErrorCode.PasskeysNotAvailable);
  return toRelyingParty(consoleUrl);
}

export const challengedSession = ({ id }: ConsoleSession) => ({ table: "console_sessions" as const, id });

/**
 * Returns options for the browser to create a passkey.
 * @throws OperationError PasskeysNotAvailable, WrongPassword, SignInLocked, TooManyPasskeys; SecondFactorNotFresh if the user has a factor that
 * was not verified recently.
 */
export async function startPasskey(
  context: Context,
  session: ConsoleSession,
  confirmation: ConfirmedPassword,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const party = getConsoleRelyingParty(context);
  if (session.hasSecondFactor) requireFreshSecondFactor(session);
  await confirmPassword(context, session, confirmation);
  const { user } = session;
  const existing = await context.database.prisma.consolePasskey.findMany({ where: { userId: user.id } });
  const owner = { id: user.id, name: user.email };
  const options = await createRegistrationOptions({
    party,
    owner,
    known: existing,
    verification: VERIFICATION,
  });
  await storeChallenge(context, challengedSession(session), options.challenge);
  return options;
}

/** Stores a new passkey. @throws OperationError PasskeysNotAvailable, PasskeyRefused, TooManyPasskeys; the errors of {@link addSecondFactor}. */
export async function confirmPasskey(
  context: Context,
  session: ConsoleSession,
  { name, credential }: { name: string; credential: RegistrationResponseJSON },
): Promise<AddedSecondFactor> {
  const party = getConsoleRelyingParty(context);
  const { id: userId } = session.user;
  return changeWithAudit(context, {}, async (tx) => {
    const added = await addSecondFactor(tx, session, async () => {
      const challenge = await takeChallenge(tx, challengedSession(session));
      const verified = await verifyNewPasskey(context, credential, {
        party,
        challenge,
        verification: VERIFICATION,
      });
      requireFreePasskeySlot(await tx.consolePasskey.count({ where: { userId } }));
      const { count } = await tx.consolePasskey.createMany({
        data: { userId, name, ...verified },
        skipDuplicates: true,
      });
      if (count === 0) throw new OperationError(ErrorCode.PasskeyRefused);
    });
    await recordUserChange(tx, session, "console_user.passkey_on", { name });
    return added;
  });
}

/** @throws OperationError PasskeyNotFound, including for another user's passkey. */
export async function renamePasskey(
  { database: { prisma } }: Context,
  { user }: ConsoleSession,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const { count } = isIssuedId(id)
    ? await prisma.consolePasskey.updateMany({ where: { id, userId: user.id }, data: { name } })
    : { count: 0 };
  if (count === 0) throw new OperationError(ErrorCode.PasskeyNotFound);
}

/** @throws OperationError SecondFactorNotFresh, SecondFactorNotSetUp; PasskeyNotFound, including for another user's passkey. */
export async function removePasskey(context: Context, session: ConsoleSession, id: string): Promise<void> {
  requireFreshSecondFactor(session);
  if (!isIssuedId(id)) throw new OperationError(ErrorCode.PasskeyNotFound);
  const { id: userId } = session.user;
  await changeWithAudit(context, {}, async (tx) => {
    await lockSecondFactors(tx, session);
    const [removed] = await tx.consolePasskey.findMany({ where: { id, userId } });
    if (!removed) throw new OperationError(ErrorCode.PasskeyNotFound);
    await tx.consolePasskey.delete({ where: { id } });
    await resetWithoutSecondFactor(tx, session);
    await recordUserChange(tx, session, "console_user.passkey_off", { name: removed.name });
  });
}
