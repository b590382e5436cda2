import { formatDecimal } from "@tillgate/money";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { getCurrency } from "../../money/currencies.js";
import { listMerchantWallets, type Wallet } from "../../money/wallets/list.js";
import { type Attention, listAttention, readSetupSteps, readSums, type Sums } from "../../reports/home.js";
import { serve, succeed } from "../shared/routes.js";
import { wireTime } from "../shared/shapes.js";
import { withRightInMode } from "./caller.js";
import { toMoney } from "./shapes.js";

export const toWallet = ({ currency, digits, symbol, balance, held }: Wallet) => ({
  currency,
  digits,
  symbol,
  balance: { amount: formatDecimal(balance, digits), currency },
  held: { amount: formatDecimal(held, digits), currency },
});

async function toSums(context: Context, { currency, days }: Sums) {
  const { digits } = await getCurrency(context, currency);
  return {
    currency,
    digits,
    days: days.map(({ day, payments, refunds, payouts }) => ({
      day,
      payments: formatDecimal(payments, digits),
      refunds: formatDecimal(refunds, digits),
      payouts: formatDecimal(payouts, digits),
    })),
  };
}

const toAttention = async (context: Context, { kind, id, title, amount, currency, at }: Attention) => ({
  kind,
  id,
  title,
  money: amount === null || currency === null ? null : await toMoney(context, amount, currency),
  at: at && wireTime(at),
});

export function serveHome(router: Router, context: Context): void {
  const allowed = withRightInMode(context);

  serve(router, "/merchants/:merchant/:mode/home", {
    get: allowed("payments.view", async (access, _request, response) => {
      const [wallets, { sums, orders }, attention, setup] = await Promise.all([
        listMerchantWallets(context, access),
        readSums(context, access),
        listAttention(context, access),
        readSetupSteps(context, access),
      ]);
      succeed(response, "Home retrieved", {
        wallets: wallets.map(toWallet),
        sums: await Promise.all(sums.map((currencySums) => toSums(context, currencySums))),
        orders,
        attention: await Promise.all(attention.map((item) => toAttention(context, item))),
        setup,
      });
    }),
  });
}
