import type { Command } from "commander";
import { z } from "zod";
import { decideRefund } from "../../operations/administration/decide-refund.js";
import { listWaitingRefunds } from "../../operations/administration/list-waiting.js";
import { actor, addCommand, addOpposites, argument, changeFields, type Session } from "../command.js";
import { reason } from "../fields.js";
import { decimal, time } from "../output.js";

const refund = argument("<refund>", "the refund's id, such as RF-20261121-K7MQRT", z.string());

export function addRefundCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "list",
    summary: "List the refunds that wait for a decision, oldest first",
    input: z.object({}),
    examples: ["", "--json"],
    async run(context) {
      const waiting = await listWaitingRefunds(context);
      return {
        none: "No refund waits.",
        rows: waiting.map((one) => ({
          refund: one.id,
          mode: one.mode,
          merchant: one.merchant,
          order: one.orderId,
          amount: decimal(one.amount),
          currency: one.amount.currency.code,
          reason: one.reason,
          created: time(one.createdAt),
        })),
      };
    },
  });
  addOpposites(group, session, {
    names: ["approve", "reject"],
    summaries: [
      "Pay a waiting refund out of the merchant's hold to the payer",
      "Return a waiting refund's amount to the merchant",
    ],
    input: z.object({ refund, reason, ...changeFields }),
    examples: [
      "RF-20261121-K7MQRT --by administrator@example.com",
      "RF-20261121-K7MQRT --by administrator@example.com --dry-run",
    ],
    async run(context, input, approve) {
      const decided = await decideRefund(context, {
        ...(await actor(context, input)),
        id: input.refund,
        reason: input.reason,
        approve,
      });
      return {
        said: `Refund ${decided.id} is ${decided.status}.`,
        row: { refund: decided.id, order: decided.orderId, status: decided.status },
      };
    },
  });
}
