import type { Command } from "commander";
import { z } from "zod";
import {
  type AdministratorDecision,
  decideAdministratorRequest,
} from "../../operations/administration/administrator-requests.js";
import { decideRequest } from "../../operations/administration/decide-request.js";
import { listRequests } from "../../operations/administration/list-requests.js";
import { actor, addCommand, addOpposites, argument, changeFields, type Session } from "../command.js";
import { type Answer, decimal, time } from "../output.js";

const request = argument("<request>", "the request's id", z.string());

/** The outcome of a request for an administrator, and the half of the password that the approver passes on. */
function toldOfAdministrator(
  { id, kind, status, email, passwordHalf }: AdministratorDecision,
  dryRun: boolean,
): Answer {
  const half = dryRun ? null : passwordHalf;
  const told =
    half === null ? "" : ` Tell ${email} this second half of the password, to be put behind the first.`;
  return {
    said: `Request ${id} is ${status}.${told}`,
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
    summary: "List what waits for a second administrator, oldest first",
    input: z.object({}),
    examples: ["", "--json"],
    run: async (context) => ({
      none: "Nothing waits for a second administrator.",
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
    summaries: [
      "Do what another administrator asked for",
      "Refuse what an administrator asked for, or take one's own request back",
    ],
    input: z.object({ request, ...changeFields }),
    examples: ["1b4e28ba-2fa1-41d2-883f-0016d3cca427 --by second.administrator@example.com"],
    async run(context, input, approve) {
      const asked = { ...(await actor(context, input)), request: input.request, approve };
      const admitted = await decideAdministratorRequest(context, asked);
      if (admitted) return toldOfAdministrator(admitted, asked.dryRun);
      const decided = await decideRequest(context, asked);
      return {
        said: `Request ${decided.id} is ${decided.status}.`,
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
