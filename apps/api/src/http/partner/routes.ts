import {
  listPayoutsQuerySchema,
  lookupRequestSchema,
  type Payout,
  payoutKeySchema,
  payoutRequestSchema,
  quoteRequestSchema,
} from "@tillgate/contract";
import type { PayoutModel } from "@tillgate/database";
import { type Request, type Response, Router } from "express";
import type { Context } from "../../context.js";
import { spendRequest } from "../../limits/request-limits.js";
import { currencyOf } from "../../operations/currencies.js";
import { OperationError, Refusal } from "../../operations/errors.js";
import { authenticatePartner, type Partner } from "../../operations/partner/authenticate-partner.js";
import { executePayout, findRepeatedPayout } from "../../operations/partner/execute-payout.js";
import { getPayout } from "../../operations/partner/get-payout.js";
import { listBalances } from "../../operations/partner/list-balances.js";
import { listPayouts } from "../../operations/partner/list-payouts.js";
import { lookupRecipient } from "../../operations/partner/lookup-recipient.js";
import { quotePayout } from "../../operations/partner/quote-payout.js";
import { pagination, succeed, succeedExactly } from "../shared/answer.js";
import { bearerToken } from "../shared/bearer-token.js";
import { clientAddressOf } from "../shared/client-address.js";
import { parse } from "../shared/parse.js";
import { pathParameter } from "../shared/path-parameter.js";
import { applyAllowance } from "../shared/rate-limit.js";
import { serve } from "../shared/routes.js";
import { noteCaller } from "../shared/trace.js";
import { shapeBalances, shapePayout, shapeQuote } from "./shapes.js";

/** The Partner API: lookup, quote, payout, status, list, balance. The token says the merchant and the mode. */
export function partnerRoutes(context: Context): Router {
  const router = Router({ caseSensitive: true });
  const authenticate = async (request: Request, response: Response): Promise<Partner> => {
    const token = bearerToken(request);
    if (token === null) throw new OperationError(Refusal.InvalidCredentials);
    const partner = await authenticatePartner(context, { token, clientAddress: clientAddressOf(request) });
    noteCaller(response, partner);
    applyAllowance(response, await spendRequest(context, "partner", partner));
    return partner;
  };
  const shape = async (payout: PayoutModel): Promise<Payout> =>
    shapePayout(
      payout,
      await currencyOf(context, payout.senderCurrency),
      await currencyOf(context, payout.receiverCurrency),
    );

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
        const quoted = await quotePayout(context, partner, parse(quoteRequestSchema, request.body));
        succeed(response, "Quote generated.", shapeQuote(quoted));
      },
    ],
  });
  serve(router, "/payout", {
    post: [
      async (request, response) => {
        const partner = await authenticate(request, response);
        const { idempotency_key: key } = parse(payoutKeySchema, request.body);
        const repeated = await findRepeatedPayout(context, partner, key);
        const { payout, replayed } = repeated
          ? { payout: repeated, replayed: true }
          : await executePayout(context, partner, key, parse(payoutRequestSchema, request.body));
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
        const { payouts, total } = await listPayouts(context, partner, query);
        succeed(response, "Payouts retrieved", {
          payouts: await Promise.all(payouts.map(shape)),
          pagination: pagination(query, total),
        });
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
