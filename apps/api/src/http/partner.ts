import {
  type Balances,
  ErrorCode,
  listPayoutsQuerySchema,
  lookupRequestSchema,
  type NumberText,
  type Payout,
  payoutRequestWithKeySchema,
  type Quote,
  quoteRequestSchema,
  readRequest,
} from "@tillgate/contract";
import type { PayoutModel } from "@tillgate/database";
import { toWireNumber } from "@tillgate/money";
import { type Request, type Response, Router } from "express";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { authenticatePartner, type LimitedPartner } from "../identity/credentials/authenticate.js";
import { getCurrency } from "../money/currencies.js";
import { type ExecutedPayout, executePayout, findRepeatedPayout } from "../money/payouts/create.js";
import { lookUpRecipient } from "../money/payouts/lookup.js";
import { checkPayoutFields, type QuoteWithCurrencies, quotePayout } from "../money/payouts/quote.js";
import { getPayout, listPayouts } from "../money/payouts/read.js";
import { type Balance, listBalances } from "../money/wallets/list.js";
import { admit, getClientAddress, parseBearerToken } from "./shared/admit.js";
import { parse, parseAndCheck, pathParameter, readIdempotentBody, toInvalidFields } from "./shared/parse.js";
import { exactNumber, serve, succeed, succeedExactly, toListPosition } from "./shared/routes.js";
import { toPayout, wireTime } from "./shared/shapes.js";
import { applyPayoutControl } from "./shared/test-controls.js";

const toQuote = ({ quote, sender, receiver }: QuoteWithCurrencies): Quote => ({
  quote_id: quote.id,
  amount: toWireNumber(quote.amount, sender.digits),
  sender_currency: quote.senderCurrency,
  receiver_currency: quote.receiverCurrency,
  exchange_rate: quote.rate.toNumber(),
  fee: toWireNumber(quote.fee, sender.digits),
  total_deducted: toWireNumber(quote.amount + quote.fee, sender.digits),
  receiver_amount: toWireNumber(quote.receiverAmount, receiver.digits),
  expires_at: wireTime(quote.expiresAt),
});

/** Returns balances as exact numbers: a balance, unlike a single amount, can exceed 10^13 minor units. */
const toBalances = (balances: Balance[]): SentBalances => ({
  balances: balances.map(({ code, symbol, digits, balance }) => ({
    currency_code: code,
    currency_symbol: symbol,
    balance: exactNumber(balance, digits),
  })),
});

/** Creates the Partner API's routes. The API token determines merchant and mode. */
export function createPartnerRoutes(context: Context): Router {
  const router = Router({ caseSensitive: true });
  const authenticate = async (request: Request, response: Response): Promise<LimitedPartner> => {
    const token = parseBearerToken(request);
    if (token === null) throw new OperationError(ErrorCode.InvalidCredentials);
    const partner = await authenticatePartner(context, { token, clientAddress: getClientAddress(request) });
    await admit(context, "partner", partner, { request, response });
    return partner;
  };
  const shape = async (payout: PayoutModel): Promise<Payout> =>
    toPayout(
      payout,
      await getCurrency(context, payout.senderCurrency),
      await getCurrency(context, payout.receiverCurrency),
    );

  const findOrExecute = async (partner: LimitedPartner, request: Request): Promise<ExecutedPayout> => {
    const { body, wrong } = readIdempotentBody(request);
    const parsed = readRequest(payoutRequestWithKeySchema, body, wrong);
    if (parsed.ok)
      return executePayout(context, partner, parsed.data, {
        waits: await applyPayoutControl(context, partner, parsed.data),
      });
    // A repeated request returns the payout of the first request with the same key, regardless of its other fields.
    const { idempotency_key: key } = parsed.validFields;
    const repeated = key === undefined ? null : await findRepeatedPayout(context, partner, key);
    if (repeated) return repeated;
    throw await toInvalidFields(parsed, (validFields) => checkPayoutFields(context, validFields));
  };

  serve(router, "/lookup", {
    post: async (request, response) => {
      const partner = await authenticate(request, response);
      const recipient = await lookUpRecipient(context, partner, parse(lookupRequestSchema, request.body));
      succeed(response, "Recipient found.", recipient);
    },
  });
  serve(router, "/quote", {
    post: async (request, response) => {
      const partner = await authenticate(request, response);
      const quoted = await quotePayout(
        context,
        partner,
        await parseAndCheck(quoteRequestSchema, request.body, (validFields) =>
          checkPayoutFields(context, validFields),
        ),
      );
      succeed(response, "Quote generated.", toQuote(quoted));
    },
  });
  serve(router, "/payout", {
    post: async (request, response) => {
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
  });
  serve(router, "/payouts", {
    get: async (request, response) => {
      const partner = await authenticate(request, response);
      const query = parse(listPayoutsQuerySchema, request.query);
      const page = await listPayouts(context, partner, query);
      const payouts = await Promise.all(page.rows.map(shape));
      succeed(response, "Payouts retrieved", { payouts, ...toListPosition(query, page) });
    },
  });
  serve(router, "/payout/:payoutId", {
    get: async (request, response) => {
      const partner = await authenticate(request, response);
      const payout = await getPayout(context, partner, pathParameter(request, "payoutId"));
      succeed(response, "Payout details.", { payout: await shape(payout) });
    },
  });
  serve(router, "/balance", {
    get: async (request, response) => {
      const partner = await authenticate(request, response);
      succeedExactly(response, "Wallet balances.", toBalances(await listBalances(context, partner)));
    },
  });
  return router;
}

/** {@link Balances} in which a balance that a double would round keeps all its digits. */
type SentBalances = {
  balances: (Omit<Balances["balances"][number], "balance"> & { balance: number | NumberText })[];
};
