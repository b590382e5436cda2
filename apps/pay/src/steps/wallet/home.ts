import { walletActionRequestSchema, walletActivityQuerySchema } from "@tillgate/contract";
import { parseCurrencyCode, queryValue, WALLET, WALLET_SIGN_IN, withQuery } from "#http/addresses.ts";
import { readActivity, readReceipt, takeWalletStep } from "#internal-api/wallet.ts";
import { toApiError, toValidationError, unwrapRead, type WalletPage } from "./wallet-page";

const OVERVIEW_ENTRIES = 5;

/** Shows balances and recent activity. The page's form signs the shopper out. */
export const homePage: WalletPage = {
  signedIn: true,
  async show({ caller }, common) {
    const read = await unwrapRead(readActivity(caller, {}));
    const activity = {
      ...read,
      activity: read.activity.slice(0, OVERVIEW_ENTRIES),
      next: read.activity.length > OVERVIEW_ENTRIES ? WALLET : read.next,
    };
    return { kind: "home", ...common, activity };
  },
  async take({ caller }, form) {
    const fields = walletActionRequestSchema.safeParse({ form_token: form.get("form_token") });
    if (!fields.success) return toValidationError("form_rejected");
    const outcome = await takeWalletStep(caller, ["sign-out"], fields.data.form_token);
    // Signing out of an expired session is a success.
    if (!outcome.ok && outcome.reason !== "not_signed_in") return toApiError(outcome);
    return { to: withQuery(WALLET_SIGN_IN, { done: "signed_out" }), session: "ended" };
  },
};

export const activityPage: WalletPage = {
  signedIn: true,
  async show({ caller, query }, common) {
    const currency = parseCurrencyCode(queryValue(query, "currency"));
    const requestedCurrency = walletActivityQuerySchema.safeParse({
      currency: currency ?? undefined,
      before: queryValue(query, "before") ?? undefined,
      after: queryValue(query, "after") ?? undefined,
    });
    if (!requestedCurrency.success) return null;
    const page = await readActivity(caller, requestedCurrency.data);
    // A cursor that does not name one of this shopper's entries results in a 404.
    if (!page.ok && page.reason === "invalid_field") return null;
    return { kind: "activity", ...common, page: await unwrapRead(Promise.resolve(page)), currency };
  },
};

export const receiptPage = (id: string): WalletPage => ({
  signedIn: true,
  async show({ caller }, common) {
    return { kind: "receipt", ...common, receipt: await unwrapRead(readReceipt(caller, id)) };
  },
});
