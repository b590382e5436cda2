import type { Command } from "commander";
import { z } from "zod";
import {
  type AdministratorDecision,
  decideAdministratorRequest,
  decideRequest,
  listRequests,
} from "../../administration/requests.js";
import { listWaitingPayouts, listWaitingRefunds } from "../../administration/waiting.js";
import { decidePayout } from "../../money/payouts/decide.js";
import { decideRefund } from "../../money/refunds/decide.js";
import { actor, addCommand, addOpposites, argument, changeFields, reason, type Session } from "../command.js";
import { type CommandResult, decimal, time } from "../output.js";

const payout = argument("<payout>", "payout ID, such as PO7K2MQRTX", z.string());

export function addPayoutCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "list",
    summary: "List payouts pending approval, oldest first",
    input: z.object({}),
    examples: ["", "--json"],
    async run(context) {
      const waiting = await listWaitingPayouts(context);
      return {
        whenEmpty: "No payouts pending approval.",
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
      "Approve a pending payout",
      "Reject a pending payout and return amount and fee to the merchant",
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
        message: `Payout ${decided.id} is ${decided.status}.`,
        row: { payout: decided.id, status: decided.status, trx_id: decided.trxId },
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
      const waiting = await listWaitingRefunds(context);
      return {
        whenEmpty: "No refunds pending approval.",
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
    summaries: ["Approve a pending refund", "Reject a pending refund and return the amount to the merchant"],
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
        message: `Refund ${decided.id} is ${decided.status}.`,
        row: { refund: decided.id, order: decided.orderId, status: decided.status },
      };
    },
  });
}

const request = argument("<request>", "the request's id", z.string());

/** The outcome of a request for an administrator, with the half of the password that the approver passes on. */
function describeAdministrator(
  { id, kind, status, email, passwordHalf }: AdministratorDecision,
  dryRun: boolean,
): CommandResult {
  const half = dryRun ? null : passwordHalf;
  const note =
    half === null ? "" : ` Tell ${email} this second half of the password, to be put behind the first.`;
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
    summary: "List requests pending a second administrator, oldest first",
    input: z.object({}),
    examples: ["", "--json"],
    run: async (context) => ({
      whenEmpty: "No pending requests.",
      rows: (await listRequests(context)).map((one) => ({
        request: one.id,
        kind: one.kind,
        mode: one.mode,
        amount: one.amount && decimal(one.amount),
        currency: one.amount?.currency.code ?? null,
        owner: one.owner,
        reference: one.reference,
        requested_by: one.requestedBy,
        requested: time(one.requestedAt),
      })),
    }),
  });
  addOpposites(group, session, {
    names: ["approve", "reject"],
    summaries: ["Approve another administrator's request", "Reject a request, or withdraw your own"],
    input: z.object({ request, ...changeFields }),
    examples: ["1b4e28ba-2fa1-41d2-883f-0016d3cca427 --by second.administrator@example.com"],
    async run(context, input, approve) {
      const decision = { ...(await actor(context, input)), request: input.request, approve };
      const admitted = await decideAdministratorRequest(context, decision);
      if (admitted) return describeAdministrator(admitted, decision.dryRun);
      const decided = await decideRequest(context, decision);
      return {
        message: `Request ${decided.id} is ${decided.status}.`,
        row: {
          request: decided.id,
          kind: decided.kind,
          status: decided.status,
          amount: decimal(decided.amount),
          currency: decided.amount.currency.code,
          transfer: decided.transferId,
        },
      };
    },
  });
}
