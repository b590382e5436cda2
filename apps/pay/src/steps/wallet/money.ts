import { randomUUID } from "node:crypto";
import { quoteConversionRequestSchema, topUpRequestSchema } from "@tillgate/contract";
import {
  pageAddress,
  parseCurrencyCode,
  queryValue,
  WALLET,
  WALLET_ACTIVITY,
  WALLET_CONVERT,
  withQuery,
} from "#http/addresses.ts";
import {
  confirmConversion,
  quoteConversion,
  readConversion,
  readCurrencies,
  topUp,
} from "#internal-api/wallet.ts";
import { parseLocalAmount } from "#typed-amount.ts";
import {
  type FormResult,
  orderFromQuery,
  stripCurrency,
  toApiError,
  toSchemaError,
  toValidationError,
  unwrapRead,
  type Visit,
  type WalletPage,
} from "./wallet-page";

const AMOUNT = /^\d{1,15}(\.\d{1,4})?$/;

async function loadCurrencies({ caller }: Visit): Promise<string[]> {
  const { currencies } = await unwrapRead(readCurrencies(caller));
  return currencies.map(({ currency }) => currency);
}

/** Top-ups and conversions by the shopper exist only in the sandbox. */
const isSandbox = ({ view }: Visit): boolean => view.shopper?.mode === "sandbox";

/** Tops up a sandbox wallet, then returns to the payment that the page was opened from, if any. */
export const topUpPage: WalletPage = {
  signedIn: true,
  async show(visit, common) {
    if (!isSandbox(visit)) return null;
    const order = await orderFromQuery(visit);
    const amount = queryValue(visit.query, "amount") ?? "";
    const request = {
      currency:
        parseCurrencyCode(queryValue(visit.query, "currency")) ??
        order?.currency ??
        visit.view.wallets[0]?.currency ??
        "",
      amount: AMOUNT.test(amount) ? amount : order === null ? "100" : stripCurrency(order.amount),
    };
    return {
      kind: "top_up",
      ...common,
      order,
      wanted: request,
      currencies: await loadCurrencies(visit),
      topUpKey: randomUUID(),
    };
  },
  async take(visit, form) {
    const fields = topUpRequestSchema.safeParse({
      form_token: form.get("form_token"),
      currency: form.get("currency"),
      amount: parseLocalAmount(form.get("amount") ?? "", visit.locale, form.get("currency") ?? ""),
      key: form.get("key"),
    });
    if (!fields.success) return toSchemaError(fields.error);
    const outcome = await topUp(visit.caller, fields.data);
    if (!outcome.ok) return toApiError(outcome);
    const order = await orderFromQuery(visit);
    return {
      to: order === null ? withQuery(WALLET, { done: "topped_up" }) : pageAddress(order.token),
      session: outcome.data.renewed_session,
    };
  },
};

/** Converts between sandbox wallets in three steps: request, quote, confirmation. */
export const convertPage: WalletPage = {
  signedIn: true,
  async show(visit, common) {
    if (!isSandbox(visit)) return null;
    const id = queryValue(visit.query, "id");
    if (id === null) return { kind: "convert", ...common, currencies: await loadCurrencies(visit) };
    const conversion = await unwrapRead(readConversion(visit.caller, id));
    const { activity_id: activityId } = conversion;
    if (activityId !== null)
      return { to: withQuery(`${WALLET_ACTIVITY}/${activityId}`, { done: "converted" }) };
    return { kind: "conversion", ...common, conversion };
  },
  take: (visit, form) => (form.get("step") === "confirm" ? confirm(visit, form) : quote(visit, form)),
};

async function quote({ caller, locale }: Visit, form: URLSearchParams): Promise<FormResult> {
  const fields = quoteConversionRequestSchema.safeParse({
    form_token: form.get("form_token"),
    from_currency: form.get("from"),
    to_currency: form.get("to"),
    amount: parseLocalAmount(form.get("amount") ?? "", locale, form.get("from") ?? ""),
  });
  if (!fields.success) return toSchemaError(fields.error);
  const outcome = await quoteConversion(caller, fields.data);
  if (!outcome.ok) return toApiError(outcome);
  const { conversion, renewed_session: session } = outcome.data;
  return { to: withQuery(WALLET_CONVERT, { id: conversion.id }), session };
}

async function confirm({ caller }: Visit, form: URLSearchParams): Promise<FormResult> {
  const formToken = form.get("form_token");
  const id = form.get("id");
  if (formToken === null || id === null) return toValidationError("form_rejected");
  const outcome = await confirmConversion(caller, id, formToken);
  if (!outcome.ok) return toApiError(outcome);
  const { conversion, renewed_session: session } = outcome.data;
  return { to: withQuery(`${WALLET_ACTIVITY}/${conversion.activity_id}`, { done: "converted" }), session };
}
