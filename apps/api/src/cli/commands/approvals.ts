import type { Command } from "commander";
import { z } from "zod";
import { listPendingPayouts, listPendingRefunds } from "../../administration/pending.js";
import {
  type AdministratorDecision,
  decideAdministratorRequest,
  decideRequest,
  listRequests,
} from "../../administration/requests.js";
import { decidePayout } from "../../money/payouts/decide.js";
import { decideRefund } from "../../money/refunds/decide.js";
import {
  addCommand,
  addOppositeCommands,
  argument,
  changeFields,
  reason,
  resolveActor,
  type Session,
} from "../command.js";
import { type CommandResult, formatMoney, formatTime } from "../output.js";

const payout = argument("<payout>", "payout ID, such as PO7K2MQRTX", z.string());

export function addPayoutCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "list",
    summary: "List payouts pending approval, oldest first",
    input: z.object({}),
    examples: ["", "--json"],
    async run(context) {
      const waiting = await listPendingPayouts(context);
      return {
        whenEmpty: "No payouts pending approval.",
        rows: waiting.map((row) => ({
          payout: row.id,
          mode: row.mode,
          merchant: row.merchant,
          reference: row.reference,
          amount: formatMoney(row.amount),
          fee: formatMoney(row.fee),
          currency: row.amount.currency.code,
          recipient: row.recipient,
          recipient_active: row.recipientActive,
          receives: formatMoney(row.receives),
          receiver_currency: row.receives.currency.code,
          created: formatTime(row.createdAt),
        })),
      };
    },
  });
  addOppositeCommands(group, session, {
    names: ["approve", "reject"],
    summaries: [
      "Approve a pending payout",
      "Reject a pending payout and return the amount and fee to the merchant",
    ],
    input: z.object({ payout, reason, ...changeFields }),
    examples: [
      "PO7K2MQRTX --by administrator@example.com",
      'PO7K2MQRTX --by administrator@example.com --reason "checked by phone" --dry-run',
    ],
    async run(context, input, approve) {
      const result = await decidePayout(context, {
        ...(await resolveActor(context, input)),
        id: input.payout,
        reason: input.reason,
        approve,
      });
      return {
        message: `Payout ${result.id} is ${result.status}.`,
        row: { payout: result.id, status: result.status, trx_id: result.trxId },
      };
    },
  });
}

const refund = argument("<refund>", "refund ID, such as RF-20261121-K7MQRT", z.string());

export function addRefundCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "list",
    summary: "List refunds pending approval, oldest first",
    input: z.object({}),
    examples: ["", "--json"],
    async run(context) {
      const waiting = await listPendingRefunds(context);
      return {
        whenEmpty: "No refunds pending approval.",
        rows: waiting.map((row) => ({
          refund: row.id,
          mode: row.mode,
          merchant: row.merchant,
          order: row.orderId,
          amount: formatMoney(row.amount),
          currency: row.amount.currency.code,
          reason: row.reason,
          created: formatTime(row.createdAt),
        })),
      };
    },
  });
  addOppositeCommands(group, session, {
    names: ["approve", "reject"],
    summaries: ["Approve a pending refund", "Reject a pending refund and return the amount to the merchant"],
    input: z.object({ refund, reason, ...changeFields }),
    examples: [
      "RF-20261121-K7MQRT --by administrator@example.com",
      "RF-20261121-K7MQRT --by administrator@example.com --dry-run",
    ],
    async run(context, input, approve) {
      const result = await decideRefund(context, {
        ...(await resolveActor(context, input)),
        id: input.refund,
        reason: input.reason,
        approve,
      });
      return {
        message: `Refund ${result.id} is ${result.status}.`,
        row: { refund: result.id, order: result.orderId, status: result.status },
      };
    },
  });
}

const request = argument("<request>", "request ID, as shown by `requests list`", z.string());

/** Describes the decision. After an approval, the result includes the second half of the password, which the approver passes on. */
function describeAdministrator(
  { id, kind, status, email, passwordHalf }: AdministratorDecision,
  dryRun: boolean,
): CommandResult {
  const half = dryRun ? null : passwordHalf;
  const note =
    half === null
      ? ""
      : ` Give ${email} this second half of the password, to enter directly after the first half.`;
  return {
    message: `Request ${id} is ${status}.${note}`,
    row: {
      request: id,
      kind: `administrator_${kind}`,
      status,
      email,
      ...(half ? { second_half: half } : {}),
    },
  };
}

export function addRequestCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "list",
    summary: "List requests pending a second administrator's approval, oldest first",
    input: z.object({}),
    examples: ["", "--json"],
    run: async (context) => ({
      whenEmpty: "No pending requests.",
      rows: (await listRequests(context)).map((row) => ({
        request: row.id,
        kind: row.kind,
        mode: row.mode,
        amount: row.amount && formatMoney(row.amount),
        currency: row.amount?.currency.code ?? null,
        owner: row.owner,
        reference: row.reference,
        requested_by: row.requestedBy,
        requested: formatTime(row.requestedAt),
      })),
    }),
  });
  addOppositeCommands(group, session, {
    names: ["approve", "reject"],
    summaries: ["Approve another administrator's request", "Reject a request, or withdraw your own"],
    input: z.object({ request, ...changeFields }),
    examples: ["1b4e28ba-2fa1-41d2-883f-0016d3cca427 --by second.administrator@example.com"],
    async run(context, input, approve) {
      const decision = { ...(await resolveActor(context, input)), request: input.request, approve };
      const admitted = await decideAdministratorRequest(context, decision);
      if (admitted) return describeAdministrator(admitted, decision.dryRun);
      const result = await decideRequest(context, decision);
      return {
        message: `Request ${result.id} is ${result.status}.`,
        row: {
          request: result.id,
          kind: result.kind,
          status: result.status,
          amount: formatMoney(result.amount),
          currency: result.amount.currency.code,
          transfer: result.transferId,
        },
      };
    },
  });
}
