import { Refusal } from "@tillgate/contract";
import { hashSlowly } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";
import { change } from "../administration/change.js";
import { type ConfirmedPassword, confirmPassword } from "./confirm-password.js";
import { type ConsoleSession, requireFreshSecondFactor, revokeOtherSessions } from "./console-session.js";
import { recordUserChange } from "./record-user-change.js";

/**
 * Sets another password of the signed-in user. Its other sessions and its mailed links end.
 * @throws OperationError SecondFactorNotFresh for a user who has a second factor; WrongPassword, SignInLocked.
 */
export async function changeOwnPassword(
  context: Context,
  session: ConsoleSession,
  { newPassword, ...typed }: ConfirmedPassword & { newPassword: string },
): Promise<void> {
  if (session.hasSecondFactor) requireFreshSecondFactor(session);
  const confirmed = await confirmPassword(context, session, typed);
  const passwordHash = await hashSlowly(newPassword);
  const { id } = session.user;
  await change(context, {}, async (tx) => {
    const { count } = await tx.consoleUser.updateMany({
      where: { id, passwordHash: confirmed },
      data: { passwordHash },
    });
    if (count === 0) throw new OperationError(Refusal.WrongPassword);
    await tx.$executeRaw`UPDATE console_links SET used_at = clock_timestamp() WHERE user_id = ${id}::uuid AND used_at IS NULL`;
    await revokeOtherSessions(tx, session);
    await recordUserChange(tx, session, "console_user.password");
  });
}
