import type { OrderStatus } from "@tillgate/contract";
import type { NoticeCode } from "#notice.ts";
import { accountEn } from "./account/en";
import { PASSKEY_TEXTS } from "./passkeys";

/** English, in ICU MessageFormat: the catalogue that the others follow. The browser's script gets its texts as data attributes. */
export const en = {
  footer: "Secure payment by Tillgate. The shop never sees your PIN or your balance.",
  legal: { terms: "Terms of use", privacy: "Privacy policy" },
  testMode: {
    title: "TEST MODE",
    explanation: "No real money moves.",
    pageTitle: "TEST: {title}",
    receipt: "TEST MODE: no real money moved.",
  },

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
    PAID: "Paid {amount}",
    CANCELLED: "Payment cancelled",
    EXPIRED: "The time to pay is over",
    REFUND_PENDING: "Money is on its way back",
    REFUNDED: "Refunded {amount}",
  } satisfies Record<OrderStatus, string>,

  order: {
    waiting: "Waiting for your payment",
    reference: "Reference {reference}",
    orderId: "Order",
    timeLeft: "{time} left to pay",
    lastMinute: "Less than a minute left to pay.",
    lastSeconds: "15 seconds left to pay.",
    payBefore: "Pay before {time}.",
    checkAgain: "Paid on another device? Check the status",
  },
  /** Shown by the script while the order's state is unknown. */
  connection: {
    offline: "You are offline. This page goes on by itself as soon as you are back.",
    lost: "The connection is lost. This page keeps trying.",
    unavailable: "The payment service does not answer. This page keeps trying.",
    clock: "Until then the clock stands still.",
  },

  check: {
    status: "Checking",
    title: "Checking your payment",
    explanation:
      "The answer got lost on the way. This page is finding out whether you have paid; please leave it open. You are never charged twice for one order.",
    back: "Go back to the payment",
  },

  signIn: {
    title: "Pay with your Tillgate wallet",
    identifier: "Phone number or e-mail",
    pin: "PIN of your Tillgate wallet",
    pinHint: "6 digits",
    submit: "Continue",
    stay: "Stay signed in on this device",
    stayHint: "Only on a device of your own. Paying still needs your PIN or passkey.",
    busy: "Signing in…",
    next: "Next you see your wallet. Nothing is taken before you confirm.",
  },
  wallet: {
    signedIn: "Signed in as {name}",
    signOut: "Not you? Sign out",
    signOutBusy: "Signing out…",
    wrongPinsElsewhere: "Someone entered wrong PINs for your account.",
    wrongPinsElsewhereAdvice:
      "It was not done on this device. Nobody got in, and you can go on paying here. Nobody but you needs to know your PIN.",
    choose: "Pay from",
    name: "{currency} wallet",
    chosen: "chosen",
    about: "about {price}",
    noRate: "cannot pay in {currency}",
    missing: "{missing} too little",
    pay: "Pay {amount}",
    busy: "Paying…",
    pin: "PIN, to confirm it is you",
    next: "You pay once, and see your receipt at once.",
    notEnough: "There is not enough in your {currency} wallet",
    notEnoughAdvice: "This payment needs {price}; your wallet holds {balance}, so {missing} is missing.",
    notEnoughTestAdvice: "Top up here: that leads back to this payment. Or pay from another wallet.",
    notEnoughLiveAdvice:
      "The operator of this payment service takes in money for wallets: top up there, or pay from another wallet.",
    none: "You have no wallet that can pay in {currency}",
    noneTestAdvice: "Top up: that opens a wallet in {currency} for you, and leads back here to pay.",
    noneAdvice: "Do you have another account? Sign out and use that one.",
    chooseAdvice: "This payment is in {currency}. Choose a wallet to see its exact price.",
    sandboxAdvice: "In test mode you can also use the test buttons below.",
  },
  passkey: PASSKEY_TEXTS.en,
  quote: {
    pays: "You pay",
    receives: "{merchant} gets",
    rate: "Rate",
    rateWithMargin: "Rate, incl. {margin} margin",
    rateMarginIncluded: "Rate, margin included",
    rateValue: "{one} = {rate}",
    heldFor: "Rate held for",
    heldUntil: "Rate held until",
    over: "The rate is no longer held",
    overAdvice: "Rates move. Get a new one; you then see the exact price before you pay.",
    renew: "Show the price now",
    renewBusy: "Asking for the rate…",
  },
  sandbox: {
    title: "Test buttons",
    explanation:
      "Approve pays from a built-in test shopper. Decline shows what a refusal looks like; the order stays open.",
    approve: "Approve",
    approveBusy: "Approving…",
    decline: "Decline",
    declineBusy: "Declining…",
    signIn: "Sign in as {name}",
    signInHint: "No PIN needed in test mode.",
  },
  scan: {
    title: "Pay with your phone",
    explanation: "Scan the code with its camera.",
    linkOnly: "Open this address on it.",
    live: "This page changes by itself as soon as you have paid.",
    open: "Pay with another device",
    watch: "Show the code alone and wait for the payment",
    watchTitle: "Scan to pay",
    watching: "This page looks every few seconds whether you have paid.",
    back: "Pay on this device instead",
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
    receivedBack: "Back in your wallet",
    paidFrom: "Taken from your wallet",
    rate: "Rate",
    next: "{merchant} has your payment.",
    refundedInPart: "{refunded} of {amount} came back to the wallet that paid.",
    print: "Print",
    copy: "Copy receipt",
    copied: "Copied",
    copyFailed: "Selected: copy it now",
  },
  leaveScreen: {
    signedIn: "You are still signed in as {name}",
    advice: "Do others use this screen? Then sign out before you leave it.",
    signOut: "Sign out on this screen",
  },
  ended: {
    CANCELLED: "Nothing was taken. To pay after all, start a new payment at {merchant}.",
    EXPIRED:
      "The time to pay is over and nothing was taken. To try again, start a new payment at {merchant}.",
    REFUND_PENDING: "{merchant} is sending money back. It arrives in the wallet that paid.",
    REFUNDED: "{merchant} sent the whole amount back to the wallet that paid.",
  },
  goBack: {
    link: "Return to {merchant}",
    counting: "You return to {merchant} in {seconds} s.",
    stop: "Stay here",
  },

  landing: {
    title: "What your shop was told",
    delivered: "Webhook to {host}: arrived, answered {status}.",
    waiting: "Webhook to {host}: on its way.",
    refused: "Webhook to {host}: not taken, answered {status}; it is sent again.",
    failed: "Webhook to {host}: given up.",
    none: "No webhook went out: give the order a callback_url, or add an endpoint.",
    order: "The order there: {status}.",
    /** The states of an order in WooCommerce; what else a shop answers is shown as it is. */
    orderIs: {
      pending: "Pending payment",
      "on-hold": "On hold",
      processing: "Processing",
      completed: "Completed",
      cancelled: "Cancelled",
      refunded: "Refunded",
      failed: "Failed",
    },
  },
  amounts: {
    ambiguous: "“{typed}” could mean {small} or {large}. Enter {smallSpelling} or {largeSpelling}.",
    ambiguousLarge: "“{typed}” could mean {small} or {large}. Enter {largeSpelling} for the second.",
  },
  link: {
    goOn: "Go on with the payment you began",
    go: "Go to the payment",
    next: "Nothing is paid yet. Next you see the amount once more, and pay from your wallet.",
    amount: "Amount in {currency}",
    between: "From {min} to {max}.",
    atLeast: "At least {min}.",
    atMost: "At most {max}.",
    wrongAmount: "This amount cannot be paid here. Please type another one.",
    slow: "Please wait a minute, then open the link again. Nothing was paid.",
    away: "Nothing was paid. Please try again in a moment.",
    used: {
      title: "This has been paid",
      explanation:
        "This link of {merchant} was for a limited number of payments, and all of them were made. Nothing was taken from you.",
    },
    expired: {
      title: "This link has expired",
      explanation: "{merchant} takes no more payments through it. Ask for another link.",
    },
    closed: {
      title: "This link is closed",
      explanation: "{merchant} takes no payments through it at the moment.",
    },
  },
  /** In a frame of the shop's page. */
  embed: {
    payHere: "Pay here",
    next: "Opens Tillgate in a new tab. Your PIN is asked there only, never in the shop’s page.",
    scan: "Or scan the code with your phone’s camera.",
    receipt: "Show the receipt",
  },
  till: {
    waits: "No payment is open here yet. This page opens it by itself as soon as the amount is typed.",
  },
  root: {
    explanation:
      "Payments begin in a shop: open its payment page, or scan its code. You then pay here with your Tillgate wallet.",
  },
  notFound: {
    title: "This payment does not exist",
    explanation:
      "The address may be incomplete. Open the payment again from the shop, or scan the code once more.",
  },
  unavailable: {
    title: "The payment service does not answer",
    explanation:
      "If you have just paid, please do not pay a second time: the result shows here as soon as the service answers again.",
    scriptAdvice: "This page looks again every few seconds and goes on by itself.",
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
    phone_without_country:
      "Enter the phone number with its country code, such as +33 6 12 34 56 78, or your e-mail. This does not count as a wrong PIN.",
    wrong_pin: "That PIN is not right, so nothing was paid. Please try again.",
    pin_needed: "Please enter your PIN to confirm this payment. Nothing was paid yet.",
    passkey_refused: "The passkey was not accepted, so nothing was paid. Please try again, or use your PIN.",
    too_many_passkeys: "There are ten passkeys already. Remove one in your wallet first.",
    passkey_added: "The passkey is added. Next time you can pay with it.",
    passkey_not_added: "No passkey was added. You can add one after your next payment with the PIN.",
    invalid_pin: "Enter the 6 digits of your PIN. Nothing was paid yet.",
    locked:
      "Someone entered too many wrong PINs for this phone number or e-mail, so it is paused for new devices. Was that not you? Nothing was taken, and a device on which you have signed in before still works.",
    device_locked:
      "Too many wrong PINs were entered on this device, so it is paused for your safety. Nothing was paid.",
    wrong_pins_before:
      "Before you signed in, someone entered too many wrong PINs for your phone number or e-mail. Was that not you? Nobody got in and nothing was taken.",
    too_many_attempts: "Too many attempts in a short time.",
    not_signed_in: "You are signed out, so nothing was paid. Please sign in again.",
    no_wallet: "Your account has no wallet that can pay this, so nothing was paid.",
    wallet_closed: "This wallet is closed, so nothing was paid. Please use another one.",
    insufficient_balance: "There is not enough in your wallet, so nothing was paid.",
    no_rate:
      "There is no exchange rate from that wallet to this payment at the moment. Please use another wallet.",
    quote_expired:
      "The rate was no longer held, so nothing was paid. Please look at the price and confirm again.",
    expired: "The time to pay ended before this step. Nothing was taken.",
    cancelled: "This payment was cancelled before this step. Nothing was taken.",
    already_paid: "This order was already paid elsewhere. You were not charged.",
    link_used: "This payment link has been used up: others paid first. You were not charged.",
    not_payable_now: "This payment cannot be made right now. Nothing was taken. Please ask the shop.",
    sandbox_only: "Test buttons work in test mode only.",
    not_found: "This payment does not exist.",
    invalid_field: "Enter your phone number or e-mail and the 6 digits of your PIN.",
    declined: "Payment declined. This is the test refusal; you can try again.",
    unavailable:
      "The payment service did not answer. The status below is current: check it before you try again.",
    unconfirmed: "The payment service answered too late. You have not been charged. Try again.",
    pins_differ: "The new PIN and its repetition are not the same. Please type both again.",
    trivial_pin: "This PIN is too easy to guess. Please choose another one.",
    same_pin: "That is the PIN you already have. Please choose another one.",
    identifier_taken: "This phone number or e-mail has a wallet already. Please sign in with it.",
    unknown_shopper: "No test wallet has this phone number or e-mail.",
    conversion_expired: "The rate was no longer held, so nothing was converted. Please look at the new one.",
    cookies_needed: "Your browser keeps no cookies for this page. Allow them, then try again.",
  } satisfies Record<NoticeCode, string>,
  /** Shown by the script when no answer comes to a step. */
  lostAnswer: {
    offline:
      "You are offline, so nothing was sent and you have not been charged. This page checks again as soon as you are back.",
    unknown:
      "The connection was lost before an answer came. This page is checking whether you have paid. One order is never paid twice.",
    unpaid: "You have not been charged. Try again.",
    step: "The connection was lost, so this may not have been done. Try again.",
    again: "Try again",
  },
  missing: "{missing} is missing.",
  wait: {
    seconds: "Please try again in {count, plural, one {# second} other {# seconds}}.",
    minutes: "Please try again in {count, plural, one {# minute} other {# minutes}}.",
    hours: "Please try again in {count, plural, one {# hour} other {# hours}}.",
    clock: "You can try again in {time}.",
    over: "You can try again now.",
  },
  account: accountEn,
  languages: "Language",
};

type Words<T> = T extends string ? string : { readonly [Name in keyof T]: Words<T[Name]> };

/** What every catalogue holds. */
export type Texts = Words<typeof en>;
