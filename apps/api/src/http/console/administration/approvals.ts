import { decisionRequestSchema, fundsRequestSchema } from "@tillgate/contract";
import type { Router } from "express";
import { listPendingPayouts, listPendingRefunds } from "../../../administration/pending.js";
import { decideAdministratorRequest, decideRequest, listRequests } from "../../../administration/requests.js";
import type { Context } from "../../../context.js";
import { invalidValue } from "../../../errors.js";
import { moveFunds } from "../../../money/funds.js";
import { decidePayout } from "../../../money/payouts/decide.js";
import { decideRefund } from "../../../money/refunds/decide.js";
import { parse, pathParameter } from "../../shared/parse.js";
import { serve, succeed } from "../../shared/routes.js";
import { wireTime } from "../../shared/shapes.js";
import { withAdministrator } from "../caller.js";
import { toConsoleMoney, toMoneyOrNone } from "../shapes.js";

const BASE = "/administration/approvals";

export function serveApprovals(router: Router, context: Context): void {
  const administrator = withAdministrator(context);

  serve(router, BASE, {
    get: administrator({ fresh: false }, async (_by, _request, response) => {
      const [payouts, refunds, requests] = await Promise.all([
        listPendingPayouts(context),
        listPendingRefunds(context),
        listRequests(context),
      ]);
      succeed(response, "Approvals retrieved", {
        payouts: payouts.map(({ id, mode, merchant, reference, recipient, ...payout }) => ({
          payout_id: id,
          mode,
          merchant,
          reference,
          money: toConsoleMoney(payout.amount),
          fee: toConsoleMoney(payout.fee),
          received: toConsoleMoney(payout.receives),
          recipient,
          recipient_active: payout.recipientActive,
          created_at: wireTime(payout.createdAt),
        })),
        refunds: refunds.map(
          ({ id, mode, merchant, orderId, amount, received, recipient, reason, createdAt }) => ({
            refund_id: id,
            mode,
            merchant,
            order_id: orderId,
            money: toConsoleMoney(amount),
            received: toMoneyOrNone(received),
            recipient,
            reason,
            created_at: wireTime(createdAt),
          }),
        ),
        requests: requests.map(({ id, kind, mode, amount, owner, reference, ...details }) => ({
          request_id: id,
          kind,
          mode,
          money: toMoneyOrNone(amount),
          owner,
          reference,
          requested_by: details.requestedBy,
          requested_at: wireTime(details.requestedAt),
        })),
      });
    }),
  });

  for (const [path, decide] of [
    ["payouts", decidePayout],
    ["refunds", decideRefund],
  ] as const)
    serve(router, `${BASE}/${path}/:id`, {
      post: administrator({ fresh: true }, async (by, request, response) => {
        const { approve, reason } = parse(decisionRequestSchema, request.body);
        const id = pathParameter(request, "id");
        const { status } = await decide(context, { id, approve, reason, administrator: by });
        succeed(response, "Decided", { id, status, password_half: null });
      }),
    });

  serve(router, `${BASE}/requests/:id`, {
    post: administrator({ fresh: true }, async (by, request, response) => {
      const { approve } = parse(decisionRequestSchema, request.body);
      const decision = { request: pathParameter(request, "id"), approve, administrator: by };
      const admitted = await decideAdministratorRequest(context, decision);
      const { id, status } = admitted ?? (await decideRequest(context, decision));
      succeed(response, "Decided", { id, status, password_half: admitted?.passwordHalf ?? null });
    }),
  });

  serve(router, "/administration/funds", {
    post: administrator({ fresh: true }, async (by, request, response) => {
      const { merchant, user, dry_run: dryRun, ...fields } = parse(fundsRequestSchema, request.body);
      const owner = merchant === undefined ? user && { user } : { merchant };
      if (!owner || (merchant !== undefined && user !== undefined))
        throw invalidValue("Specify either a merchant or a wallet user.");
      const result = await moveFunds(context, { ...fields, owner, administrator: by, dryRun });
      succeed(response, "Done", {
        outcome: result.outcome,
        id: result.id,
        money: toConsoleMoney(result.amount),
        owner: result.owner,
      });
    }),
  });
}
