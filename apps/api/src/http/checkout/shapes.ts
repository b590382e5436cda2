import type { CheckoutEmbed, CheckoutQuote, CheckoutView } from "@tillgate/contract";
import { computePayerShare, formatAmount } from "@tillgate/money";
import { getAccentShades } from "../../checkout/branding.js";
import type { EmbeddedCheckout } from "../../checkout/embed.js";
import { computeShortfall } from "../../checkout/payment-groups.js";
import type { QuotedWallet } from "../../checkout/quote.js";
import type { Checkout, Wallet } from "../../checkout/read.js";
import type { CheckoutDetails } from "../../checkout/view.js";
import type { SignedIn } from "../../checkout/wallet/sign-in.js";
import { canHavePasskeys, MAX_PASSKEYS } from "../../identity/passkeys.js";
import type { RenewedSession } from "../../identity/shoppers/session.js";
import { maskAmount, maskName, paymentAddress, wireTime } from "../shared/shapes.js";

type Shopper = NonNullable<CheckoutView["shopper"]>;

export const toMerchant = ({ name, accent, logo }: Checkout["merchant"]): CheckoutView["merchant"] => ({
  name,
  accent: accent === null ? null : getAccentShades(accent),
  logo,
});

function toWallet(wallet: Wallet, orderCurrency: string): Shopper["wallets"][number] {
  const { id, currency, balance, hidden, price } = wallet;
  return {
    wallet_id: id,
    currency: currency.code,
    balance: hidden ? maskAmount(currency.code) : formatAmount(balance, currency),
    converts: currency.code !== orderCurrency,
    price: price && formatAmount(price.amount, currency),
    rate: price?.rate ?? null,
    sufficient: price !== null && balance >= price.amount,
    missing: hidden ? null : price && computeShortfall(wallet, price.amount),
  };
}

/** Formats a quote. `expires_in_ms` is measured by the database's clock, for the countdown. */
export function toQuote(
  { order, currency }: Pick<Checkout, "order" | "currency">,
  { offer, wallet, readAt }: QuotedWallet,
): CheckoutQuote {
  const missing = computeShortfall(wallet, offer.amount);
  return {
    quote_id: offer.id,
    wallet_id: offer.accountId,
    pays: formatAmount(offer.amount, offer.currency),
    receives: formatAmount(order.amount, currency),
    rate: offer.rate,
    margin_percent: offer.marginPercent,
    from_currency: offer.currency.code,
    to_currency: order.currency,
    sufficient: missing === null,
    missing: wallet.hidden ? null : missing,
    expires_at: wireTime(offer.expiresAt),
    expires_in_ms: Math.max(0, offer.expiresAt.getTime() - readAt.getTime()),
  };
}

/** Describes how an order was paid. Only the payer sees the amounts and the rate. */
function toPayment({ order, payment, shopper }: Checkout): CheckoutView["payment"] {
  if (payment === null) return null;
  if (shopper === null || payment.walletUserId !== shopper.id)
    return { by_you: false, paid_amount: null, rate: null, received_back: null };
  const { amount: paid, currency, rate } = payment;
  const back =
    order.refunded > 0n && currency.code !== order.currency
      ? computePayerShare({ paid, price: order.amount, refunded: 0n }, order.refunded)
      : null;
  return {
    by_you: true,
    paid_amount: formatAmount(paid, currency),
    rate,
    received_back: back === null ? null : formatAmount(back, currency),
  };
}

function toShopper({ order, shopper, wallets }: Checkout, payUrl: string): Shopper | null {
  if (shopper === null) return null;
  const passkeys = canHavePasskeys(payUrl);
  const open = wallets.filter(({ closed }) => !closed).map((wallet) => toWallet(wallet, order.currency));
  return {
    name: shopper.hidden ? maskName(shopper.name) : shopper.name,
    pin_needed: !shopper.pinFresh,
    passkey: passkeys && shopper.passkeys > 0,
    passkey_offered:
      passkeys &&
      !shopper.shared &&
      shopper.pinFresh &&
      !shopper.passkeyAdded &&
      shopper.passkeys < MAX_PASSKEYS,
    wrong_pins_elsewhere: shopper.wrongPinsElsewhere,
    wallet: open.find(({ converts }) => !converts) ?? null,
    wallets: open,
  };
}

const toSession = ({ session, maxAgeSeconds }: RenewedSession) => ({
  session,
  max_age_seconds: maxAgeSeconds,
});

export const toRenewed = (renewed: RenewedSession | null) => renewed && toSession(renewed);

/** Formats a sign-in. `wrong_pins_before` is whether earlier wrong PINs had locked out unknown devices. */
export const toSignedIn = ({ session, device, wrongPinsBefore }: SignedIn) => ({
  ...toSession(session),
  device: { token: device.token, max_age_seconds: device.maxAgeSeconds },
  wrong_pins_before: wrongPinsBefore,
});

/** Returns the payment page's URL, also as QR data; `qr_data` is null for an order whose payment method is `payment_page`. */
function toPaymentUrls(
  order: Checkout["order"],
  payUrl: string,
): { qr_data: string | null; payment_url: string } {
  const payment_url = paymentAddress(payUrl, order);
  return { qr_data: order.paymentMethod === "payment_page" ? null : payment_url, payment_url };
}

export function toEmbed(
  { order, currency, merchant, readAt, origins, formToken }: EmbeddedCheckout,
  payUrl: string,
): CheckoutEmbed {
  return {
    order: {
      mode: order.mode,
      status: order.state,
      version: order.version,
      description: order.description,
      reference: order.orderNumber ?? order.reference,
      amount: formatAmount(order.amount, currency),
      ...toRefundAmounts(order, currency),
      locale: order.locale,
      ...toPaymentUrls(order, payUrl),
      expires_at: wireTime(order.expiresAt),
    },
    merchant: toMerchant(merchant),
    expires_in_ms: Math.max(0, order.expiresAt.getTime() - readAt.getTime()),
    origins,
    form_token: formToken,
  };
}

/** The sums of the completed and of the pending refunds, formatted; null instead of zero. */
const toRefundAmounts = (
  { refunded, refundPending }: CheckoutDetails["order"],
  currency: CheckoutDetails["currency"],
) => ({
  refunded_amount: refunded === 0n ? null : formatAmount(refunded, currency),
  refund_pending_amount: refundPending === 0n ? null : formatAmount(refundPending, currency),
});

export function toCheckout(details: CheckoutDetails, payUrl: string): CheckoutView {
  const { order, currency, merchant, offer, readAt } = details;
  const quoted = details.wallets.find(({ id, closed }) => id === offer?.accountId && !closed);
  return {
    order: {
      order_id: order.id,
      mode: order.mode,
      status: order.state,
      version: order.version,
      merchant_name: merchant.name,
      description: order.description,
      reference: order.orderNumber ?? order.reference,
      amount: formatAmount(order.amount, currency),
      currency: order.currency,
      payment_method: order.paymentMethod,
      locale: order.locale,
      ...toPaymentUrls(order, payUrl),
      trx_id: order.trxId,
      paid_at: order.paidAt && wireTime(order.paidAt),
      ...toRefundAmounts(order, currency),
      created_at: wireTime(order.createdAt),
      expires_at: wireTime(order.expiresAt),
    },
    merchant: toMerchant(merchant),
    expires_in_ms: Math.max(0, order.expiresAt.getTime() - readAt.getTime()),
    return_to: details.returnTo,
    leads_back: details.redirectsBack,
    payment: toPayment(details),
    shopper: toShopper(details, payUrl),
    open_shopper: details.openShopper,
    recognised:
      details.recognised && canHavePasskeys(payUrl) ? { name: maskName(details.recognised.name) } : null,
    quote: offer && quoted ? toQuote(details, { offer, wallet: quoted, readAt }) : null,
    landings: details.landings,
    form_token: details.formToken,
    witness: details.witness && {
      token: details.witness.token,
      max_age_seconds: details.witness.maxAgeSeconds,
    },
  };
}
