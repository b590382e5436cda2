import {
  type ChangePinRequest,
  type MakeShopperRequest,
  type QuoteConversionRequest,
  type ResetPinRequest,
  signInAnswerSchema,
  successEnvelope,
  type TopUpRequest,
  WALLET_PATH,
  type WalletActionAnswer,
  type WalletActivityPage,
  type WalletActivityQuery,
  type WalletReceipt,
  type WalletSignInRequest,
  type WalletSignIns,
  type WalletView,
  walletActionAnswerSchema,
  walletActivityPageSchema,
  walletConversionAnswerSchema,
  walletConversionSchema,
  walletCurrenciesSchema,
  walletMovedAnswerSchema,
  walletReceiptSchema,
  walletSignInsSchema,
  walletViewSchema,
} from "@tillgate/contract";
import { type Caller, call, type Outcome } from "./call";

/** Calls for the wallet of the shopper signed in in the caller's browser. Every call throws ApiUnreachable. */

const viewAnswer = successEnvelope(walletViewSchema);
const activityAnswer = successEnvelope(walletActivityPageSchema);
const receiptAnswer = successEnvelope(walletReceiptSchema);
const signInsAnswer = successEnvelope(walletSignInsSchema);
const signInAnswer = successEnvelope(signInAnswerSchema);
const currenciesAnswer = successEnvelope(walletCurrenciesSchema);
const movedAnswer = successEnvelope(walletMovedAnswerSchema);
const conversionAnswer = successEnvelope(walletConversionSchema);
const convertedAnswer = successEnvelope(walletConversionAnswerSchema);
const actionAnswer = successEnvelope(walletActionAnswerSchema);

const walletPath = (path: string): string => WALLET_PATH + path;

/** Reads the signed-in shopper and the balances. */
export const readWallet = (caller: Caller): Promise<Outcome<WalletView>> =>
  call(WALLET_PATH, caller, viewAnswer);

export function readActivity(
  caller: Caller,
  query: WalletActivityQuery,
): Promise<Outcome<WalletActivityPage>> {
  const asked = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return call(walletPath(asked.size === 0 ? "/activity" : `/activity?${asked}`), caller, activityAnswer);
}

export const readReceipt = (caller: Caller, id: string): Promise<Outcome<WalletReceipt>> =>
  call(walletPath(`/activity/${encodeURIComponent(id)}`), caller, receiptAnswer);

export const readSignIns = (caller: Caller): Promise<Outcome<WalletSignIns>> =>
  call(walletPath("/sign-ins"), caller, signInsAnswer);

export const signInToWallet = (caller: Caller, fields: WalletSignInRequest) =>
  call(walletPath("/sign-in"), caller, signInAnswer, fields);

/**
 * Steps whose form contains only its token: `sign-out`, `sign-out-everywhere`, `sessions/{id}/end`, `devices/{id}/forget`,
 * `passkeys/{id}/revoke`.
 */
export const takeWalletStep = (
  caller: Caller,
  step: readonly string[],
  formToken: string,
): Promise<Outcome<WalletActionAnswer>> =>
  call(walletPath(`/${step.map(encodeURIComponent).join("/")}`), caller, actionAnswer, {
    form_token: formToken,
  });

export const changePin = (caller: Caller, fields: ChangePinRequest): Promise<Outcome<WalletActionAnswer>> =>
  call(walletPath("/pin"), caller, actionAnswer, fields);

/** Currencies in which wallets can be opened. */
export const readCurrencies = (caller: Caller) => call(walletPath("/currencies"), caller, currenciesAnswer);

/** Creates a sandbox shopper and signs in. */
export const makeShopper = (caller: Caller, fields: MakeShopperRequest) =>
  call(walletPath("/shoppers"), caller, signInAnswer, fields);

/** Resets a forgotten PIN in sandbox and signs in. */
export const resetPin = (caller: Caller, fields: ResetPinRequest) =>
  call(walletPath("/pin-resets"), caller, signInAnswer, fields);

export const topUp = (caller: Caller, fields: TopUpRequest) =>
  call(walletPath("/top-ups"), caller, movedAnswer, fields);

/** Quotes a conversion. */
export const quoteConversion = (caller: Caller, fields: QuoteConversionRequest) =>
  call(walletPath("/conversions"), caller, convertedAnswer, fields);

export const readConversion = (caller: Caller, id: string) =>
  call(walletPath(`/conversions/${encodeURIComponent(id)}`), caller, conversionAnswer);

/** Executes a quoted conversion. Idempotent. */
export const confirmConversion = (caller: Caller, id: string, formToken: string) =>
  call(walletPath(`/conversions/${encodeURIComponent(id)}/confirm`), caller, convertedAnswer, {
    form_token: formToken,
  });
