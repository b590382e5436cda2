import { type Account, listEntriesQuerySchema, type Mode } from "@tillgate/contract";
import { type Currency, formatAmount } from "@tillgate/money";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { readMerchantName } from "../../identity/connections.js";
import { getCurrency } from "../../money/currencies.js";
import type { StatementEntry } from "../../money/wallets/entries.js";
import { listMerchantWallets } from "../../money/wallets/list.js";
import { readStatement } from "../../money/wallets/statement.js";
import { parse, pathParameter } from "../shared/parse.js";
import { exactNumber, serve, succeed, succeedExactly } from "../shared/routes.js";
import { consolePageUrl, wireTime } from "../shared/shapes.js";
import { withClient } from "./authenticate.js";

export function serveAccount(router: Router, context: Context, mode: Mode): void {
  const authenticated = withClient(context, mode);

  serve(router, "/account", {
    get: authenticated(async (client, _request, response) => {
      const account: Account = {
        merchant_name: await readMerchantName(context, client),
        mode,
        console_url: consolePageUrl(context.config.consoleUrl, client.merchantId),
      };
      succeed(response, "Account retrieved", account);
    }),
  });
}

const toEntry = (entry: StatementEntry, currency: Currency) => ({
  entry_id: String(entry.entryId),
  kind: entry.kind,
  currency: currency.code,
  amount: formatAmount(entry.amount, currency),
  raw_amount: exactNumber(entry.amount, currency.digits),
  balance: formatAmount(entry.balance, currency),
  raw_balance: exactNumber(entry.balance, currency.digits),
  order_id: entry.orderId,
  refund_id: entry.refundId,
  payout_id: entry.payoutId,
  reference: entry.reference,
  created_at: wireTime(entry.at),
});

export function serveBalances(router: Router, context: Context, mode: Mode): void {
  const authenticated = withClient(context, mode);

  serve(router, "/balances", {
    get: authenticated(async (client, _request, response) => {
      const wallets = await listMerchantWallets(context, client);
      const balances = wallets.map(({ currency: code, digits, balance, held }) => ({
        currency: code,
        balance: formatAmount(balance, { code, digits }),
        raw_balance: exactNumber(balance, digits),
        held: formatAmount(held, { code, digits }),
        raw_held: exactNumber(held, digits),
      }));
      succeedExactly(response, "Balances retrieved", { balances });
    }),
  });

  serve(router, "/balances/:currency/entries", {
    get: authenticated(async (client, request, response) => {
      const { cursor: before, per_page } = parse(listEntriesQuerySchema, request.query);
      const code = pathParameter(request, "currency");
      const query = { currency: code, before, per_page, cursorField: "cursor" } as const;
      const { entries, next } = await readStatement(context, client, query);
      const currency = await getCurrency(context, code);
      succeedExactly(response, "Entries retrieved", {
        entries: entries.map((entry) => toEntry(entry, currency)),
        next_cursor: next,
      });
    }),
  });
}
