import { type Recorded, recordChange, type Transaction } from "../administration/change.js";
import type { ConsoleSession } from "./console-session.js";

/** Writes the audit record of what a user changes of itself: in its merchant's chain, or in the house's. */
export async function recordUserChange(
  tx: Transaction,
  { user }: Pick<ConsoleSession, "user">,
  action: `user.${string}`,
  details: Recorded["details"] = {},
): Promise<void> {
  const { merchantId } = await tx.consoleUser.findUniqueOrThrow({
    where: { id: user.id },
    select: { merchantId: true },
  });
  await recordChange(tx, { administrator: user, merchantId, action, subject: user.id, details });
}
