import {
  activeRequestSchema,
  addCurrencyRequestSchema,
  importRatesRequestSchema,
  merchantQuerySchema,
  ratesQuerySchema,
  setFeeRequestSchema,
  setLimitsRequestSchema,
  setRateRequestSchema,
  singleLimitRequestSchema,
} from "@tillgate/contract";
import type { CurrencyModel } from "@tillgate/database";
import { formatDecimal } from "@tillgate/money";
import type { Router } from "express";
import type { Context } from "../../../context.js";
import { invalidValue } from "../../../errors.js";
import { addCurrency, listCurrencies, setCurrencyActive } from "../../../money/currencies.js";
import { listFees, removeFee, setFee } from "../../../money/fees.js";
import { listPayoutTerms, setPayoutTerms, setSingleLimit } from "../../../money/payouts/terms.js";
import { importRates, listRates, setRate } from "../../../money/rates.js";
import { parse, pathParameter } from "../../shared/parse.js";
import { serve, succeed } from "../../shared/routes.js";
import { wireTime } from "../../shared/shapes.js";
import { readPathMode, withAdministrator } from "../caller.js";
import { toConsoleMoney, toMoneyOrNone } from "../shapes.js";

const toCurrency = (currency: CurrencyModel) => ({
  code: currency.code,
  name: currency.name,
  symbol: currency.symbol,
  digits: currency.digits,
  type: currency.type,
  active: currency.active,
  single_administrator_limit: {
    amount: formatDecimal(currency.singleAdministratorLimit, currency.digits),
    currency: currency.code,
  },
});

export function servePricing(router: Router, context: Context): void {
  serveCurrencies(router, context);
  serveRates(router, context);
  serveFeesAndLimits(router, context);
}

function serveCurrencies(router: Router, context: Context): void {
  const administrator = withAdministrator(context);
  const BASE = "/administration/currencies";

  serve(router, BASE, {
    get: administrator({ fresh: false }, async (_by, _request, response) => {
      const currencies = await listCurrencies(context);
      succeed(response, "Currencies retrieved", { currencies: currencies.map(toCurrency) });
    }),
    post: administrator({ fresh: true }, async (by, request, response) => {
      const fields = parse(addCurrencyRequestSchema, request.body);
      const added = await addCurrency(context, { ...fields, administrator: by });
      succeed(response, "Currency added", toCurrency(added));
    }),
  });

  serve(router, `${BASE}/:currency`, {
    post: administrator({ fresh: true }, async (by, request, response) => {
      const { active } = parse(activeRequestSchema, request.body);
      const currency = pathParameter(request, "currency");
      const set = await setCurrencyActive(context, { currency, active, administrator: by });
      succeed(response, "Currency changed", toCurrency(set.currency));
    }),
  });

  serve(router, `${BASE}/:currency/single-limit`, {
    post: administrator({ fresh: true }, async (by, request, response) => {
      const { amount } = parse(singleLimitRequestSchema, request.body);
      const currency = pathParameter(request, "currency");
      const { outcome, id, limit } = await setSingleLimit(context, { currency, amount, administrator: by });
      succeed(response, "Done", { outcome, request_id: id, limit: toConsoleMoney(limit) });
    }),
  });
}

function serveRates(router: Router, context: Context): void {
  const administrator = withAdministrator(context);
  const BASE = "/administration/rates/:mode";

  serve(router, BASE, {
    get: administrator({ fresh: false }, async (_by, request, response) => {
      const past = parse(ratesQuerySchema, request.query).past === "true";
      const rates = await listRates(context, { mode: readPathMode(request), past });
      succeed(response, "Rates retrieved", {
        rates: rates.map(({ base, quote, rate, standing, ...listed }) => ({
          base,
          quote,
          rate,
          spread_percent: listed.spreadPercent,
          rate_after_spread: listed.rateAfterSpread,
          effective_from: wireTime(listed.effectiveFrom),
          standing,
        })),
      });
    }),
    post: administrator({ fresh: true }, async (by, request, response) => {
      const {
        spread_percent: spreadPercent,
        effective_from: effectiveFrom,
        ...pair
      } = parse(setRateRequestSchema, request.body);
      const mode = readPathMode(request);
      await setRate(context, { ...pair, spreadPercent, effectiveFrom, mode, administrator: by });
      succeed(response, "Rate set", { rates: 1 });
    }),
  });

  serve(router, `${BASE}/import`, {
    post: administrator({ fresh: true }, async (by, request, response) => {
      const { csv } = parse(importRatesRequestSchema, request.body);
      const { rates } = await importRates(context, { mode: readPathMode(request), csv, administrator: by });
      succeed(response, "Rates imported", { rates: rates.length });
    }),
  });
}

function serveFeesAndLimits(router: Router, context: Context): void {
  const administrator = withAdministrator(context);

  serve(router, "/administration/fees", {
    get: administrator({ fresh: false }, async (_by, _request, response) => {
      const fees = await listFees(context);
      succeed(response, "Fees retrieved", {
        fees: fees.map(({ mode, merchant, fixed, percent }) => ({
          mode,
          merchant,
          fixed: toConsoleMoney(fixed),
          percent,
        })),
      });
    }),
    post: administrator({ fresh: true }, async (by, request, response) => {
      const { fixed, percent, ...key } = parse(setFeeRequestSchema, request.body);
      const of = { ...key, administrator: by };
      if (fixed !== undefined && percent !== undefined) await setFee(context, { ...of, fixed, percent });
      else if (fixed === undefined && percent === undefined) await removeFee(context, of);
      else throw invalidValue("Specify both the fixed fee and the percentage, or neither to remove the fee.");
      succeed(response, "Fee set", {});
    }),
  });

  serve(router, "/administration/limits", {
    get: administrator({ fresh: false }, async (_by, request, response) => {
      const terms = await listPayoutTerms(context, parse(merchantQuerySchema, request.query));
      succeed(response, "Limits retrieved", {
        limits: terms.map(({ merchant, mode, currency, authorized, daily, monthly, ...listed }) => ({
          merchant,
          mode,
          currency,
          authorized,
          per_transaction: toMoneyOrNone(listed.perTransaction),
          daily: toMoneyOrNone(daily),
          monthly: toMoneyOrNone(monthly),
          review_above: toMoneyOrNone(listed.reviewAbove),
          used_today: toConsoleMoney(listed.usedToday),
          used_this_month: toConsoleMoney(listed.usedThisMonth),
        })),
      });
    }),
    post: administrator({ fresh: true }, async (by, request, response) => {
      const {
        per_transaction: perTransaction,
        review_above: reviewAbove,
        ...fields
      } = parse(setLimitsRequestSchema, request.body);
      const { changed } = await setPayoutTerms(context, {
        ...fields,
        perTransaction,
        reviewAbove,
        administrator: by,
      });
      succeed(response, "Limits set", { changed });
    }),
  });
}
