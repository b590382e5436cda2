import {
  quoteConversionRequestSchema,
  registerShopperRequestSchema,
  resetPinRequestSchema,
  topUpRequestSchema,
  type WalletConversion,
  walletActionRequestSchema,
} from "@tillgate/contract";
import { formatAmount } from "@tillgate/money";
import type { Request, Router } from "express";
import { createShopper } from "../../checkout/wallet/open.js";
import { resetForgottenPin } from "../../checkout/wallet/pins.js";
import { signIn } from "../../checkout/wallet/sign-in.js";
import type { Context } from "../../context.js";
import { requireShopper, type Shopper } from "../../identity/shoppers/read.js";
import { renewSessionIfDue } from "../../identity/shoppers/session.js";
import {
  type Conversion,
  executeConversion,
  quoteConversion,
  readConversion,
} from "../../money/conversions.js";
import { listOpenCurrencies } from "../../money/currencies.js";
import { topUpOwnWallet } from "../../money/wallets/top-up.js";
import { getEndUserAddress } from "../shared/admit.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { wireTime } from "../shared/shapes.js";
import { readViewer } from "./caller.js";
import { toRenewed, toSignedIn } from "./shapes.js";
import { readFormWallet, requireSignedIn } from "./wallet-shapes.js";

/** Serves the wallet's sandbox features. Every operation that changes data is rejected in live mode. */
export function serveWalletSandbox(router: Router, context: Context): void {
  const renew = async (request: Request, { rotationDue }: Shopper) =>
    toRenewed(
      await renewSessionIfDue(context, readViewer(request).session, { confirmed: false, rotationDue }),
    );
  /** Signs the shopper in with the new PIN, subject to the usual limits. */
  const signInNow = async (
    request: Request,
    { identifier, pin, orderId }: { identifier: string; pin: string; orderId: string | null },
  ) =>
    toSignedIn(
      await signIn(context, {
        identifier,
        pin,
        mode: "sandbox",
        orderId,
        clientAddress: getEndUserAddress(request),
        before: readViewer(request),
        remembered: false,
      }),
    );

  serve(router, "/wallet/shoppers", {
    post: async (request, response) => {
      const fields = parse(registerShopperRequestSchema, request.body);
      await readFormWallet(context, request, fields.form_token);
      const { name, mode, phone, email, pin, currency, amount, order_token: orderToken } = fields;
      const clientAddress = getEndUserAddress(request);
      const shopper = await createShopper(context, {
        mode,
        name,
        phone,
        email,
        pin,
        currency,
        amount,
        orderToken,
        clientAddress,
      });
      succeed(response, "Wallet created", await signInNow(request, { ...shopper, pin }));
    },
  });
  serve(router, "/wallet/pin-resets", {
    post: async (request, response) => {
      const fields = parse(resetPinRequestSchema, request.body);
      await readFormWallet(context, request, fields.form_token);
      const { mode, identifier, new_pin: newPin } = fields;
      const clientAddress = getEndUserAddress(request);
      await resetForgottenPin(context, { mode, identifier, newPin, clientAddress });
      succeed(response, "PIN reset", await signInNow(request, { identifier, pin: newPin, orderId: null }));
    },
  });
  serve(router, "/wallet/currencies", {
    get: async (_request, response) => {
      const currencies = (await listOpenCurrencies(context)).map(({ code, name }) => ({
        currency: code,
        name,
      }));
      succeed(response, "Currencies retrieved", { currencies });
    },
  });
  serve(router, "/wallet/top-ups", {
    post: async (request, response) => {
      const { form_token, ...topUp } = parse(topUpRequestSchema, request.body);
      const { shopper } = requireSignedIn(await readFormWallet(context, request, form_token));
      const id = await topUpOwnWallet(context, shopper, topUp);
      succeed(response, "Done", { activity_id: id, renewed_session: await renew(request, shopper) });
    },
  });
  serve(router, "/wallet/conversions", {
    post: async (request, response) => {
      const fields = parse(quoteConversionRequestSchema, request.body);
      const session = await readFormWallet(context, request, fields.form_token);
      const { shopper, wallets } = requireSignedIn(session);
      const { from_currency: from, to_currency: to, amount } = fields;
      const quote = await quoteConversion(context, shopper, wallets, { from, to, amount });
      succeed(response, "Quote created", {
        conversion: toConversion(quote),
        renewed_session: await renew(request, shopper),
      });
    },
  });
  serve(router, "/wallet/conversions/:id", {
    get: async (request, response) => {
      const shopper = await requireShopper(context, readViewer(request).session);
      const conversion = await readConversion(context, shopper, pathParameter(request, "id"));
      succeed(response, "Conversion retrieved", toConversion(conversion));
    },
  });
  serve(router, "/wallet/conversions/:id/confirm", {
    post: async (request, response) => {
      const { form_token } = parse(walletActionRequestSchema, request.body);
      const { shopper } = requireSignedIn(await readFormWallet(context, request, form_token));
      const conversion = await executeConversion(context, shopper, pathParameter(request, "id"));
      succeed(response, "Done", {
        conversion: toConversion(conversion),
        renewed_session: await renew(request, shopper),
      });
    },
  });
}

const toConversion = (conversion: Conversion): WalletConversion => ({
  id: conversion.id,
  gives: formatAmount(conversion.fromAmount, {
    code: conversion.fromCurrency,
    digits: conversion.fromDigits,
  }),
  gets: formatAmount(conversion.toAmount, { code: conversion.toCurrency, digits: conversion.toDigits }),
  rate: conversion.rate,
  margin_percent: conversion.marginPercent,
  from_currency: conversion.fromCurrency,
  to_currency: conversion.toCurrency,
  expires_at: wireTime(conversion.expiresAt),
  expires_in_ms: Math.max(0, conversion.expiresAt.getTime() - conversion.readAt.getTime()),
  activity_id: conversion.transferId,
});
