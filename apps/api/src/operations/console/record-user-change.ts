import type { AuditAction } from "@tillgate/contract";
import { type Recorded, recordChange, type Transaction } from "../administration/change.js";
import type { ConsoleSession } from "./console-session.js";

/** Writes the audit records of what a user changes of itself: in the chain of each of its merchants, or in the house's. */
export async function recordUserChange(
  tx: Transaction,
  { user }: Pick<ConsoleSession, "user">,
  action: AuditAction & `console_user.${string}`,
  details: Recorded["details"] = {},
): Promise<void> {
  // In this order everywhere: a record holds its chain until the end of the transaction.
  const places = await tx.consoleMember.findMany({
    where: { userId: user.id },
    select: { merchantId: true },
    orderBy: { merchantId: "asc" },
  });
  const chains = user.role === "administrator" ? [{ merchantId: null }] : places;
  for (const { merchantId } of chains)
    await recordChange(tx, { administrator: user, merchantId, action, subject: user.id, details });
}
