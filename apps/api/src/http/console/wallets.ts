import {
  consoleOpenWalletRequestSchema,
  consolePageSchema,
  consolePeriodQuerySchema,
  consoleTopUpRequestSchema,
} from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { listMerchantWallets } from "../../money/wallets/list.js";
import { findOpenableCurrencies, openSandboxWallet } from "../../money/wallets/open.js";
import { readStatement } from "../../money/wallets/statement.js";
import { topUpWallet } from "../../money/wallets/top-up.js";
import { readPeriod } from "../../reports/statement-file.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { withRightInMode } from "./caller.js";
import { toWallet } from "./home.js";
import { toMoney, toStatementEntry } from "./shapes.js";

const BASE = "/merchants/:merchant/:mode/wallets";

export function serveWallets(router: Router, context: Context): void {
  const allowed = withRightInMode(context);

  serve(router, BASE, {
    get: allowed("payments.view", async (access, _request, response) => {
      const [wallets, openable] = await Promise.all([
        listMerchantWallets(context, access),
        findOpenableCurrencies(context, access),
      ]);
      succeed(response, "Wallets retrieved", { wallets: wallets.map(toWallet), openable });
    }),
    post: allowed("wallets.top_up", async (access, request, response) => {
      const { currency } = parse(consoleOpenWalletRequestSchema, request.body);
      const opened = await openSandboxWallet(context, access, currency);
      succeed(response, "Wallet opened", { opened });
    }),
  });

  serve(router, `${BASE}/:currency/statement`, {
    get: allowed("payments.view", async (access, request, response) => {
      const currency = pathParameter(request, "currency");
      const query = { ...parse(consolePageSchema, request.query), currency };
      const { entries, next, previous } = await readStatement(context, access, query);
      const items = await Promise.all(entries.map((entry) => toStatementEntry(context, currency, entry)));
      succeed(response, "Statement retrieved", { items, next, previous });
    }),
  });

  serve(router, `${BASE}/:wallet/statement/period`, {
    get: allowed("payments.view", async (access, request, response) => {
      const wallet = pathParameter(request, "wallet");
      const { timeZone } = access;
      const query = { ...parse(consolePeriodQuerySchema, request.query), wallet, timeZone };
      const { currency, opening, closing, total, entries } = await readPeriod(context, access, query);
      succeed(response, "Statement retrieved", {
        opening: await toMoney(context, opening, currency),
        closing: await toMoney(context, closing, currency),
        total,
        items: await Promise.all(entries.map((entry) => toStatementEntry(context, currency, entry))),
      });
    }),
  });

  serve(router, `${BASE}/:currency/top-up`, {
    post: allowed("wallets.top_up", async (access, request, response) => {
      const { amount, idempotency_key: key } = parse(consoleTopUpRequestSchema, request.body);
      const currency = pathParameter(request, "currency");
      const transferId = await topUpWallet(context, access, { currency, amount, key });
      succeed(response, "Wallet topped up", { transfer_id: transferId });
    }),
  });
}
