import type { OrderStatus } from "@tillgate/contract";
import type { NoticeCode } from "./notice";

/**
 * Every text of the page, in one place. `{name}` is filled in by `fill` or, where the value is an element, by
 * `<Phrase>`; the browser's script gets its texts as data attributes, so that it needs no catalogue of its own.
 */
export const texts = {
  language: "en",
  footer: "Secure payment by Tillgate. The shop never sees your PIN or your balance.",
  testMode: { title: "TEST MODE", explanation: "Sandbox order: no real money moves." },

  title: {
    PENDING: "Pay {amount} to {merchant}",
    PAID: "Paid: {amount} to {merchant}",
    CANCELLED: "Payment cancelled: {merchant}",
    EXPIRED: "Payment expired: {merchant}",
    REFUND_PENDING: "Refund in progress: {merchant}",
    REFUNDED: "Refunded: {amount} by {merchant}",
  } satisfies Record<OrderStatus, string>,
  heading: {
    PENDING: "Pay {merchant}",
    PAID: "Paid to {merchant}",
    CANCELLED: "Payment to {merchant}",
    EXPIRED: "Payment to {merchant}",
    REFUND_PENDING: "Paid to {merchant}",
    REFUNDED: "Paid to {merchant}",
  } satisfies Record<OrderStatus, string>,
  status: {
    PENDING: "Waiting for your payment",
    PAID: "Payment complete",
    CANCELLED: "Payment cancelled",
    EXPIRED: "Payment expired",
    REFUND_PENDING: "Refund in progress",
    REFUNDED: "Refunded",
  } satisfies Record<OrderStatus, string>,

  order: {
    reference: "Reference",
    orderId: "Order",
    timeLeft: "left",
    lastMinute: "Less than a minute left to pay.",
    payBefore: "Pay before {time}.",
    checkAgain: "Paid on another device? Check the status",
    connectionLost: "The connection is lost. This page keeps trying.",
  },

  signIn: {
    title: "Pay with your wallet",
    identifier: "Phone number or e-mail",
    pin: "PIN",
    pinHint: "6 digits",
    submit: "Sign in",
    busy: "Signing in…",
  },
  wallet: {
    greeting: "Signed in as {name}",
    balance: "{currency} wallet",
    pay: "Pay {amount}",
    busy: "Paying…",
    signOut: "Sign out",
    notEnough: "There is not enough in your {currency} wallet",
    notEnoughAdvice:
      "This payment needs {amount}; your wallet holds {balance}. Top up the wallet, or sign out and use another one.",
    none: "You have no {currency} wallet",
    noneAdvice:
      "This payment is in {currency} and your account has no wallet in that currency. Sign out and use another account.",
    sandboxAdvice: "In test mode you can also use the test buttons below.",
    another: "Use another account",
  },
  sandbox: {
    title: "Test buttons",
    explanation:
      "Approve pays from a built-in test shopper. Decline shows what a refusal looks like; the order stays open.",
    approve: "Approve",
    approveBusy: "Approving…",
    decline: "Decline",
    declineBusy: "Declining…",
  },
  scan: {
    title: "Pay with another device",
    explanation: "Scan the code with a phone's camera.",
    linkOnly: "Open this address on the other device.",
    live: "This page changes by itself as soon as the payment is made.",
    open: "Show the QR code",
    picture: "QR code to pay {amount} to {merchant}",
    address: "Payment address",
    copy: "Copy",
    copied: "Copied",
    copyFailed: "Selected: copy it now",
  },
  cancel: {
    open: "Cancel payment",
    question: "Cancel this payment? The order cannot be paid afterwards.",
    confirm: "Yes, cancel it",
    busy: "Cancelling…",
  },

  receipt: {
    transaction: "Transaction",
    time: "Time",
    refunded: "Refunded",
    next: "{merchant} has been told that you paid. You can keep this receipt or close the page.",
    print: "Print",
  },
  ended: {
    CANCELLED: "Nothing was taken. To pay after all, start a new payment at {merchant}.",
    EXPIRED:
      "The time to pay is over and nothing was taken. To try again, start a new payment at {merchant}.",
    REFUND_PENDING: "{merchant} is sending money back. It arrives in the wallet that paid.",
    REFUNDED: "The money is back in the wallet that paid.",
  },
  goBack: {
    link: "Return to {merchant}",
    counting: "You return to {merchant} in {seconds} s.",
    stop: "Stay here",
  },

  notFound: {
    title: "This payment does not exist",
    explanation:
      "The address may be incomplete. Open the payment again from the shop, or scan the code once more.",
  },
  unavailable: {
    title: "The payment service does not answer",
    explanation:
      "This page tries again by itself every few seconds. If you have just paid, please do not pay a second time: the result shows here as soon as the service answers.",
    retry: "Try again now",
  },
  failed: {
    title: "Something went wrong here",
    explanation: "The page could not be shown. Please try again; what you have paid stays paid.",
  },
  refused: {
    title: "This step was not accepted",
    origin: "The request did not come from the payment page, so nothing was done.",
    method: "This address only takes the forms of the payment page. Nothing was done.",
    form: "The form was not sent as the payment page sends it, so nothing was done.",
    back: "Go to the payment",
  },

  notice: {
    form_rejected: "This page was out of date, so nothing was done. Please try again.",
    wrong_sign_in: "Phone number or e-mail and PIN do not match. Please try again.",
    too_many_attempts: "Too many attempts. Please wait a moment and try again.",
    not_signed_in: "You are signed out. Please sign in again to pay.",
    no_wallet: "Your account has no wallet in the currency of this payment.",
    insufficient_balance: "There is not enough in your wallet, so nothing was paid.",
    expired: "The time to pay ended before this step. Nothing was taken.",
    cancelled: "This payment was cancelled before this step. Nothing was taken.",
    already_paid: "This order is already paid. You were not charged again.",
    not_payable_now: "This payment cannot be made right now. Nothing was taken. Please ask the shop.",
    sandbox_only: "Test buttons work in test mode only.",
    not_found: "This payment does not exist.",
    invalid_field: "Enter your phone number or e-mail and the 6 digits of your PIN.",
    declined: "Payment declined. This is the test refusal; you can try again.",
    unavailable:
      "The payment service did not answer. The status below is current: check it before you try again.",
    cookies_needed: "Your browser keeps no cookies for this page. Allow them, then try again.",
  } satisfies Record<NoticeCode, string>,
  wait: {
    seconds: "Please try again in {count} seconds.",
    minutes: "Please try again in {count} minutes.",
  },
} as const;

/** Puts values into the `{name}` places of a text. A name without a value stays as it is. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

/** How long to wait, in the unit that people would use. */
export function waitText(seconds: number): string {
  return seconds <= 90
    ? fill(texts.wait.seconds, { count: seconds })
    : fill(texts.wait.minutes, { count: Math.ceil(seconds / 60) });
}
