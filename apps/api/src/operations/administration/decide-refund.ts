import { randomUUID } from "node:crypto";
import type { RefundModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { type RefundRow, refundFromRow } from "../../ledger/rows.js";
import { callForAdministrator } from "./call-ledger.js";
import { type Decision, onlyRejectionRemains } from "./decide-payout.js";

/**
 * Approves or rejects a refund that waits. Approved, the held amount goes to the payer; rejected, it returns to the merchant.
 * @throws AdministrationError NotFound, AlreadyDecided (the loser of two deciders), OnlyRejectionRemains.
 */
export async function decideRefund(context: Context, decision: Decision): Promise<RefundModel> {
  const { id, approve, administrator, reason } = decision;
  try {
    const row = await callForAdministrator<RefundRow>(context, decision, {
      sql: "SELECT * FROM decide_refund($1, $2, $3, $4, $5)",
      values: () => [id, approve, randomUUID(), administrator.id, reason ?? null],
    });
    if (!decision.dryRun) context.hints.changed(row.order_id);
    return refundFromRow(row);
  } catch (error) {
    throw onlyRejectionRemains(error, "The payer's wallet was closed: it can only be rejected.");
  }
}
