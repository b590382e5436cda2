import type { Command } from "commander";
import { z } from "zod";
import { decidePayout } from "../../operations/administration/decide-payout.js";
import { listWaitingPayouts } from "../../operations/administration/list-waiting.js";
import { actor, addCommand, addOpposites, argument, changeFields, type Session } from "../command.js";
import { reason } from "../fields.js";
import { decimal, time } from "../output.js";

const payout = argument("<payout>", "the payout's id, such as PO7K2MQRTX", z.string());

export function addPayoutCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "list",
    summary: "List the payouts that wait for a decision, oldest first",
    input: z.object({}),
    examples: ["", "--json"],
    async run(context) {
      const waiting = await listWaitingPayouts(context);
      return {
        none: "No payout waits.",
        rows: waiting.map((one) => ({
          payout: one.id,
          mode: one.mode,
          merchant: one.merchant,
          reference: one.reference,
          amount: decimal(one.amount),
          fee: decimal(one.fee),
          currency: one.amount.currency.code,
          recipient: one.recipient,
          recipient_active: one.recipientActive,
          receives: decimal(one.receives),
          receiver_currency: one.receives.currency.code,
          created: time(one.createdAt),
        })),
      };
    },
  });
  addOpposites(group, session, {
    names: ["approve", "reject"],
    summaries: [
      "Pay a waiting payout out of the merchant's hold",
      "Return a waiting payout's amount and fee to the merchant, and the amount to the limits",
    ],
    input: z.object({ payout, reason, ...changeFields }),
    examples: [
      "PO7K2MQRTX --by administrator@example.com",
      'PO7K2MQRTX --by administrator@example.com --reason "checked by phone" --dry-run',
    ],
    async run(context, input, approve) {
      const decided = await decidePayout(context, {
        ...(await actor(context, input)),
        id: input.payout,
        reason: input.reason,
        approve,
      });
      return {
        said: `Payout ${decided.id} is ${decided.status}.`,
        row: { payout: decided.id, status: decided.status, trx_id: decided.trxId },
      };
    },
  });
}
