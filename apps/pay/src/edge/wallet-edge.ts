import {
  type ChangePinRequest,
  signInAnswerSchema,
  successEnvelope,
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
  walletReceiptSchema,
  walletSignInsSchema,
  walletViewSchema,
} from "@tillgate/contract";
import { config } from "../config";
import { type Caller, call, type Outcome } from "./call-api";

/** The shopper's wallet, of the shopper who is signed in in the caller's browser. Every call throws ApiUnreachable. */

const viewAnswer = successEnvelope(walletViewSchema);
const activityAnswer = successEnvelope(walletActivityPageSchema);
const receiptAnswer = successEnvelope(walletReceiptSchema);
const signInsAnswer = successEnvelope(walletSignInsSchema);
const signInAnswer = successEnvelope(signInAnswerSchema);
const actionAnswer = successEnvelope(walletActionAnswerSchema);

const address = (path: string): string => `${config().apiOrigin}${WALLET_PATH}${path}`;

/** Who is signed in, and what the wallets hold. */
export const readWallet = (caller: Caller): Promise<Outcome<WalletView>> =>
  call(address(""), caller, viewAnswer);

export function readActivity(
  caller: Caller,
  query: WalletActivityQuery,
): Promise<Outcome<WalletActivityPage>> {
  const asked = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return call(address(asked.size === 0 ? "/activity" : `/activity?${asked}`), caller, activityAnswer);
}

export const readReceipt = (caller: Caller, id: string): Promise<Outcome<WalletReceipt>> =>
  call(address(`/activity/${encodeURIComponent(id)}`), caller, receiptAnswer);

export const readSignIns = (caller: Caller): Promise<Outcome<WalletSignIns>> =>
  call(address("/sign-ins"), caller, signInsAnswer);

export const signInToWallet = (caller: Caller, fields: WalletSignInRequest) =>
  call(address("/sign-in"), caller, signInAnswer, fields);

/** A step whose form needs only its token: `sign-out`, `sign-out-everywhere`, `sessions/{id}/end`, `devices/{id}/forget`. */
export const takeWalletStep = (
  caller: Caller,
  step: readonly string[],
  formToken: string,
): Promise<Outcome<WalletActionAnswer>> =>
  call(address(`/${step.map(encodeURIComponent).join("/")}`), caller, actionAnswer, {
    form_token: formToken,
  });

export const changePin = (caller: Caller, fields: ChangePinRequest): Promise<Outcome<WalletActionAnswer>> =>
  call(address("/pin"), caller, actionAnswer, fields);
