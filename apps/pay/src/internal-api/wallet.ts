import {
  type ChangePinRequest,
  type QuoteConversionRequest,
  type RegisterShopperRequest,
  type ResetPinRequest,
  signInResponseSchema,
  successEnvelope,
  type TopUpRequest,
  WALLET_PATH,
  type WalletActionResponse,
  type WalletActivityPage,
  type WalletActivityQuery,
  type WalletReceipt,
  type WalletSignInRequest,
  type WalletSignIns,
  type WalletView,
  walletActionResponseSchema,
  walletActivityPageSchema,
  walletConversionResponseSchema,
  walletConversionSchema,
  walletCurrenciesSchema,
  walletReceiptSchema,
  walletSignInsSchema,
  walletTransferResponseSchema,
  walletViewSchema,
} from "@tillgate/contract";
import { type Caller, call, type Outcome } from "./call";

/** Wallet calls for the shopper who is signed in on the caller's browser. Every call may throw ApiUnreachable. */

const viewResponse = successEnvelope(walletViewSchema);
const activityResponse = successEnvelope(walletActivityPageSchema);
const receiptResponse = successEnvelope(walletReceiptSchema);
const signInsResponse = successEnvelope(walletSignInsSchema);
const signInResponse = successEnvelope(signInResponseSchema);
const currenciesResponse = successEnvelope(walletCurrenciesSchema);
const movementResponse = successEnvelope(walletTransferResponseSchema);
const conversionResponse = successEnvelope(walletConversionSchema);
const convertedResponse = successEnvelope(walletConversionResponseSchema);
const actionResponse = successEnvelope(walletActionResponseSchema);

const walletPath = (path: string): string => WALLET_PATH + path;

export const readWallet = (caller: Caller): Promise<Outcome<WalletView>> =>
  call(WALLET_PATH, caller, viewResponse);

export function readActivity(
  caller: Caller,
  query: WalletActivityQuery,
): Promise<Outcome<WalletActivityPage>> {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return call(walletPath(search.size === 0 ? "/activity" : `/activity?${search}`), caller, activityResponse);
}

export const readReceipt = (caller: Caller, id: string): Promise<Outcome<WalletReceipt>> =>
  call(walletPath(`/activity/${encodeURIComponent(id)}`), caller, receiptResponse);

export const readSignIns = (caller: Caller): Promise<Outcome<WalletSignIns>> =>
  call(walletPath("/sign-ins"), caller, signInsResponse);

export const signInToWallet = (caller: Caller, fields: WalletSignInRequest) =>
  call(walletPath("/sign-in"), caller, signInResponse, fields);

/** Takes a wallet action whose request body is only the form token, such as `sign-out` or `sessions/{id}/end`. */
export const takeWalletStep = (
  caller: Caller,
  step: readonly string[],
  formToken: string,
): Promise<Outcome<WalletActionResponse>> =>
  call(walletPath(`/${step.map(encodeURIComponent).join("/")}`), caller, actionResponse, {
    form_token: formToken,
  });

export const changePin = (caller: Caller, fields: ChangePinRequest): Promise<Outcome<WalletActionResponse>> =>
  call(walletPath("/pin"), caller, actionResponse, fields);

/** Reads the currencies in which wallets can be opened. */
export const readCurrencies = (caller: Caller) => call(walletPath("/currencies"), caller, currenciesResponse);

/** Creates a sandbox shopper and signs the shopper in. */
export const createShopper = (caller: Caller, fields: RegisterShopperRequest) =>
  call(walletPath("/shoppers"), caller, signInResponse, fields);

/** Resets the forgotten PIN of a sandbox shopper and signs the shopper in. */
export const resetPin = (caller: Caller, fields: ResetPinRequest) =>
  call(walletPath("/pin-resets"), caller, signInResponse, fields);

export const topUp = (caller: Caller, fields: TopUpRequest) =>
  call(walletPath("/top-ups"), caller, movementResponse, fields);

export const quoteConversion = (caller: Caller, fields: QuoteConversionRequest) =>
  call(walletPath("/conversions"), caller, convertedResponse, fields);

export const readConversion = (caller: Caller, id: string) =>
  call(walletPath(`/conversions/${encodeURIComponent(id)}`), caller, conversionResponse);

/** Executes a quoted conversion. A repeated call converts only once. */
export const confirmConversion = (caller: Caller, id: string, formToken: string) =>
  call(walletPath(`/conversions/${encodeURIComponent(id)}/confirm`), caller, convertedResponse, {
    form_token: formToken,
  });
