import {
  keyedPayoutRequestSchema,
  listPayoutsQuerySchema,
  lookupRequestSchema,
  type Payout,
  quoteRequestSchema,
  Refusal,
  readRequest,
} from "@tillgate/contract";
import type { PayoutModel } from "@tillgate/database";
import { type Request, type Response, Router } from "express";
import type { Context } from "../../context.js";
import { authenticatePartner, type LimitedPartner } from "../../credentials/authenticate-partner.js";
import { OperationError } from "../../operation-error.js";
import {
  type ExecutedPayout,
  executePayout,
  findRepeatedPayout,
} from "../../operations/payouts/execute-payout.js";
import { getPayout } from "../../operations/payouts/get-payout.js";
import { listBalances } from "../../operations/payouts/list-balances.js";
import { listPayouts } from "../../operations/payouts/list-payouts.js";
import { lookupRecipient } from "../../operations/payouts/lookup-recipient.js";
import { quotePayout, wrongPayoutFields } from "../../operations/payouts/quote-payout.js";
import { currencyOf } from "../../readers/currencies.js";
import { admit } from "../shared/admit.js";
import { placeOf, succeed, succeedExactly } from "../shared/answer.js";
import { bearerToken } from "../shared/bearer-token.js";
import { clientAddressOf } from "../shared/client-address.js";
import { keyedBody } from "../shared/idempotency-key.js";
import { meetPayoutControl } from "../shared/meet-control.js";
import { parse, parseAndCheck, refusalOf } from "../shared/parse.js";
import { pathParameter } from "../shared/path-parameter.js";
import { shapePayout } from "../shared/payout-shape.js";
import { serve } from "../shared/routes.js";
import { shapeBalances, shapeQuote } from "./shapes.js";

/** The Partner API: lookup, quote, payout, status, list, balance. The token says the merchant and the mode. */
export function partnerRoutes(context: Context): Router {
  const router = Router({ caseSensitive: true });
  const authenticate = async (request: Request, response: Response): Promise<LimitedPartner> => {
    const token = bearerToken(request);
    if (token === null) throw new OperationError(Refusal.InvalidCredentials);
    const partner = await authenticatePartner(context, { token, clientAddress: clientAddressOf(request) });
    await admit(context, "partner", partner, { request, response });
    return partner;
  };
  const shape = async (payout: PayoutModel): Promise<Payout> =>
    shapePayout(
      payout,
      await currencyOf(context, payout.senderCurrency),
      await currencyOf(context, payout.receiverCurrency),
    );

  const findOrExecute = async (partner: LimitedPartner, request: Request): Promise<ExecutedPayout> => {
    const { body, wrong } = keyedBody(request);
    const read = readRequest(keyedPayoutRequestSchema, body, wrong);
    if (read.ok)
      return executePayout(context, partner, read.data, {
        waits: await meetPayoutControl(context, partner, read.data),
      });
    // A repeat gets the payout that its key made, whatever else it says.
    const { idempotency_key: key } = read.right;
    const repeated = key === undefined ? null : await findRepeatedPayout(context, partner, key);
    if (repeated) return repeated;
    throw await refusalOf(read, (right) => wrongPayoutFields(context, right));
  };

  serve(router, "/lookup", {
    post: [
      async (request, response) => {
        const partner = await authenticate(request, response);
        const found = await lookupRecipient(context, partner, parse(lookupRequestSchema, request.body));
        succeed(response, "Recipient found.", found);
      },
    ],
  });
  serve(router, "/quote", {
    post: [
      async (request, response) => {
        const partner = await authenticate(request, response);
        const quoted = await quotePayout(
          context,
          partner,
          await parseAndCheck(quoteRequestSchema, request.body, (right) => wrongPayoutFields(context, right)),
        );
        succeed(response, "Quote generated.", shapeQuote(quoted));
      },
    ],
  });
  serve(router, "/payout", {
    post: [
      async (request, response) => {
        const partner = await authenticate(request, response);
        const { payout, replayed } = await findOrExecute(partner, request);
        if (replayed) {
          response.set("Idempotent-Replayed", "true");
          return succeed(response, "Payout was already processed.", {
            payout: await shape(payout),
            duplicate: true,
          });
        }
        const message = payout.status === "pending" ? "Payout pending approval." : "Payout completed.";
        succeed(response, message, { payout: await shape(payout) });
      },
    ],
  });
  serve(router, "/payouts", {
    get: [
      async (request, response) => {
        const partner = await authenticate(request, response);
        const query = parse(listPayoutsQuerySchema, request.query);
        const found = await listPayouts(context, partner, query);
        const payouts = await Promise.all(found.rows.map(shape));
        succeed(response, "Payouts retrieved", { payouts, ...placeOf(query, found) });
      },
    ],
  });
  serve(router, "/payout/:payoutId", {
    get: [
      async (request, response) => {
        const partner = await authenticate(request, response);
        const payout = await getPayout(context, partner, pathParameter(request, "payoutId"));
        succeed(response, "Payout details.", { payout: await shape(payout) });
      },
    ],
  });
  serve(router, "/balance", {
    get: [
      async (request, response) => {
        const partner = await authenticate(request, response);
        succeedExactly(response, "Wallet balances.", shapeBalances(await listBalances(context, partner)));
      },
    ],
  });
  return router;
}
