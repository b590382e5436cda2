import { Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { attemptPin, forgivePin } from "../../limits/pin-attempts.js";
import { OperationError } from "../../operation-error.js";
import type { ConsoleSession } from "./console-session.js";

/** What a signed-in user types again before it changes how it signs in. */
export type ConfirmedPassword = { password: string; clientAddress: string };

/**
 * Makes sure that the user itself sits there. Wrong passwords count with its wrong codes.
 * @returns the hash that the password was right for.
 * @throws OperationError WrongPassword, SignInLocked.
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
    throw new OperationError(Refusal.WrongPassword);
  await forgivePin(context, attempt);
  return passwordHash;
}
