import {
  ErrorCode,
  type WalletActivity,
  type WalletActivityPage,
  type WalletReceipt,
  type WalletSignIns,
  type WalletView,
} from "@tillgate/contract";
import type { WalletPasskeyModel } from "@tillgate/database";
import { formatAmount } from "@tillgate/money";
import type { Request } from "express";
import { verifyFormToken } from "../../checkout/tokens.js";
import type { Activity, ActivityPage, Receipt, ReceiptRefund } from "../../checkout/wallet/activity.js";
import type { SignIns } from "../../checkout/wallet/sign-ins.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { readShopper, type SessionWithShopper, type Shopper } from "../../identity/shoppers/read.js";
import { maskAmount, maskEmail, maskName, maskPhone, paymentAddress, wireTime } from "../shared/shapes.js";
import { readViewer } from "./caller.js";

const toContact = ({ name, phone, email, pinResetAt }: Shopper) =>
  pinResetAt === null
    ? { name, phone, email }
    : { name: maskName(name), phone: phone && maskPhone(phone), email: email && maskEmail(email) };

export const toWallet = (
  { shopper, wallets }: SessionWithShopper,
  page: { formToken: string; usualMode: WalletView["usual_mode"] },
): WalletView => ({
  shopper: shopper && {
    ...toContact(shopper),
    mode: shopper.mode,
    wrong_pins_elsewhere: shopper.wrongPinsElsewhere,
    hidden: shopper.pinResetAt !== null,
  },
  usual_mode: page.usualMode,
  wallets: wallets.map(({ id, currency, balance }) => ({
    wallet_id: id,
    currency: currency.code,
    balance: shopper?.pinResetAt ? maskAmount(currency.code) : formatAmount(balance, currency),
  })),
  form_token: page.formToken,
});

const absolute = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

const formatCounterAmount = ({ counterAmount, counterCurrency, counterDigits }: Activity): string | null =>
  counterAmount === null || counterCurrency === null || counterDigits === null
    ? null
    : formatAmount(counterAmount, { code: counterCurrency, digits: counterDigits });

const formatMerchantAmount = ({
  currency,
  merchantAmount,
  merchantCurrency,
  merchantDigits,
}: Activity): string | null =>
  merchantAmount === null ||
  merchantCurrency === null ||
  merchantDigits === null ||
  merchantCurrency === currency
    ? null
    : formatAmount(merchantAmount, { code: merchantCurrency, digits: merchantDigits });

const toActivity = ({ amount, currency, digits, ...activity }: Activity): WalletActivity => ({
  id: activity.transferId,
  kind: activity.kind,
  direction: amount < 0n ? "out" : "in",
  amount: formatAmount(absolute(amount), { code: currency, digits }),
  merchant_name: activity.merchantName,
  description: activity.description,
  counter_amount: formatCounterAmount({ amount, currency, digits, ...activity }),
  merchant_amount: formatMerchantAmount({ amount, currency, digits, ...activity }),
  created_at: wireTime(activity.at),
});

export const toActivityPage = ({ activity, next, previous }: ActivityPage): WalletActivityPage => ({
  activity: activity.map(toActivity),
  next,
  previous,
});

/** Formats a receipt. Fields that do not apply to the movement's kind are null. */
export function toReceipt(receipt: Receipt, payUrl: string): WalletReceipt {
  const { kind, orderId, refundId, payoutId, paymentTransferId, token } = receipt;
  return {
    ...toActivity(receipt),
    payment: kind === "payment" && orderId !== null && token !== null ? toPayment(receipt, payUrl) : null,
    refund:
      kind === "refund" && refundId !== null && orderId !== null && paymentTransferId !== null
        ? { refund_id: refundId, order_id: orderId, payment_id: paymentTransferId }
        : null,
    conversion: toConverted(receipt),
    payout: payoutId === null ? null : { payout_id: payoutId, trx_id: receipt.payoutTrxId },
  };
}

const toConverted = ({ conversionRate: rate, conversionFrom: from, conversionTo: to }: Receipt) =>
  rate === null || from === null || to === null ? null : { rate, from_currency: from, to_currency: to };

function toPayment(receipt: Receipt, payUrl: string): NonNullable<WalletReceipt["payment"]> {
  const merchants = {
    code: receipt.merchantCurrency ?? receipt.currency,
    digits: receipt.merchantDigits ?? 0,
  };
  const walletCurrency = { code: receipt.currency, digits: receipt.digits };
  const toReceiptRefund = ({ id, status, amount, received, transferId, at }: ReceiptRefund) => ({
    refund_id: id,
    status,
    amount: formatAmount(amount, merchants),
    received: received === null ? null : formatAmount(received, walletCurrency),
    activity_id: received ? transferId : null,
    created_at: wireTime(at),
  });
  return {
    order_id: receipt.orderId ?? "",
    trx_id: receipt.trxId,
    reference: receipt.reference,
    price: formatAmount(receipt.merchantAmount ?? 0n, merchants),
    rate: receipt.rate,
    payment_url: paymentAddress(payUrl, { token: receipt.token ?? "" }),
    refunds: receipt.refunds.map(toReceiptRefund),
  };
}

export const toSignIns = (
  { sessions, devices }: SignIns,
  passkeys: readonly WalletPasskeyModel[],
  { sessionId, deviceId }: Shopper,
): WalletSignIns => ({
  sessions: sessions.map(({ id, browser, signedInAt, expiresAt, remembered }) => ({
    id,
    browser,
    signed_in_at: wireTime(signedInAt),
    expires_at: wireTime(expiresAt),
    remembered,
    current: id === sessionId,
  })),
  devices: devices.map(({ id, browser, usedAt }) => ({
    id,
    browser,
    used_at: wireTime(usedAt),
    current: id === deviceId,
  })),
  passkeys: passkeys.map(({ id, createdAt, lastUsedAt }) => ({
    id,
    added_at: wireTime(createdAt),
    used_at: lastUsedAt && wireTime(lastUsedAt),
  })),
});

/** Reads the visitor's session and verifies that the wallet page issued the form to this visitor and session. @throws OperationError FormRejected. */
export async function readFormWallet(
  context: Context,
  request: Request,
  formToken: string,
): Promise<SessionWithShopper> {
  const { visitor, session } = readViewer(request);
  const shopperSession = await readShopper(context, session);
  await verifyFormToken(context, formToken, { orderId: null, visitor, session: shopperSession });
  return shopperSession;
}

/** @throws OperationError NotSignedIn. */
export function requireSignedIn(session: SessionWithShopper): SessionWithShopper & { shopper: Shopper } {
  const { shopper } = session;
  if (!shopper) throw new OperationError(ErrorCode.NotSignedIn);
  return { ...session, shopper };
}
