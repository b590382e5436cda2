import type { OrderStatus } from "@tillgate/contract";
import type { Done } from "#http/addresses.ts";
import type { NoticeCode } from "#notice.ts";

/** English, in ICU MessageFormat: the reference catalogue. The browser script gets its texts in data attributes. */
export const en = {
  footer: "Secure payments by Tillgate. The shop never sees your PIN or balance.",
  legal: { terms: "Terms of use", privacy: "Privacy policy" },
  testMode: {
    title: "TEST MODE",
    explanation: "No real money is involved.",
    pageTitle: "TEST: {title}",
    receipt: "TEST MODE: no real money was involved.",
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
    EXPIRED: "Payment expired",
    REFUND_PENDING: "Refund in progress",
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
    offline: "You’re offline. This page will update as soon as you’re back online.",
    lost: "Connection lost. Trying to reconnect…",
    unavailable: "We can’t reach the payment service. Still trying…",
    clock: "The time left isn’t updated in the meantime.",
  },

  check: {
    status: "Checking",
    title: "Checking your payment",
    explanation:
      "We didn’t get a response in time. We’re checking whether your payment went through, so please keep this page open. You’ll never be charged twice for the same order.",
    back: "Back to payment",
  },

  signIn: {
    title: "Pay with your Tillgate wallet",
    identifier: "Phone number or e-mail",
    pin: "Tillgate wallet PIN",
    pinHint: "6 digits",
    submit: "Continue",
    stay: "Stay signed in on this device",
    stayHint: "Only on your own device. You’ll still need your PIN or passkey to pay.",
    busy: "Signing in…",
    next: "Next, you’ll see your wallet. You won’t be charged until you confirm.",
  },
  wallet: {
    signedIn: "Signed in as {name}",
    signOut: "Not you? Sign out",
    signOutBusy: "Signing out…",
    wrongPinsElsewhere: "Someone has been entering wrong PINs for your account.",
    wrongPinsElsewhereAdvice:
      "The attempts weren’t made on this device. No one got in, and you can keep paying here. Never share your PIN with anyone.",
    choose: "Pay from",
    name: "{currency} wallet",
    chosen: "selected",
    about: "about {price}",
    noRate: "can’t pay in {currency}",
    missing: "{missing} short",
    pay: "Pay {amount}",
    busy: "Paying…",
    pin: "Enter your PIN to confirm",
    next: "You’ll be charged once and get your receipt right away.",
    notEnough: "Not enough money in your {currency} wallet",
    notEnoughHidden: "You need {price} for this payment.",
    notEnoughAdvice:
      "You need {price} for this payment. Your wallet balance is {balance}, so you’re {missing} short.",
    notEnoughTestAdvice: "Top up here and come straight back to this payment, or pay from another wallet.",
    notEnoughLiveAdvice:
      "Contact the operator of this payment service to top up, or pay from another wallet.",
    none: "You don’t have a wallet that can make this payment",
    noneTestAdvice: "Top up to open a {currency} wallet. You’ll then come back here to pay.",
    noneAdvice: "Have another account? Sign out and use that one.",
    chooseAdvice: "This payment is in {currency}. Choose a wallet to see the exact price.",
    sandboxAdvice: "In test mode you can also use the test buttons below.",
  },
  passkey: {
    recognised: "Welcome back, {name}",
    pay: "Pay {amount} with your passkey",
    usePin: "Use your PIN instead",
    notUsed: "No passkey was used and you haven’t been charged. Try again or use your PIN.",
    noSupport: "This browser doesn’t support passkeys. Use your PIN.",
    offer: "Pay without your PIN next time?",
    offerText:
      "With a passkey, you confirm payments on this device with your fingerprint, face or screen lock. Your PIN still works.",
    add: "Add a passkey",
    addBusy: "Adding passkey…",
    notAdded: "No passkey was added. You can try again.",
    known: "This device already has one of your passkeys.",
    cannotAdd: "This browser doesn’t support passkeys.",
    title: "Passkeys",
    none: "No passkeys yet. After you pay with your PIN, you can add one from the receipt.",
    addedAt: "Added on {time}",
    usedAt: "Last used on {time}",
    remove: "Remove",
  },
  quote: {
    pays: "You pay",
    receives: "{merchant} receives",
    rate: "Rate",
    rateWithMargin: "Rate, incl. {margin} margin",
    rateMarginIncluded: "Rate, margin included",
    rateValue: "{one} = {rate}",
    heldFor: "Rate guaranteed for",
    heldUntil: "Rate guaranteed until",
    over: "This rate has expired",
    overAdvice: "Exchange rates change. Get the current rate to see the exact price before you pay.",
    renew: "Get current rate",
    renewBusy: "Getting current rate…",
  },
  sandbox: {
    title: "Test buttons",
    explanation:
      "“Approve” pays as a built-in test customer. “Decline” simulates a declined payment, and the order stays open.",
    approve: "Approve",
    approveBusy: "Approving…",
    decline: "Decline",
    declineBusy: "Declining…",
    signIn: "Sign in as {name}",
    signInHint: "No PIN needed in test mode.",
  },
  scan: {
    title: "Pay with your phone",
    explanation: "Scan the code with your phone’s camera.",
    linkOnly: "Open this address on your phone.",
    live: "This page updates as soon as you’ve paid.",
    open: "Pay with another device",
    watch: "Show only the code and wait for payment",
    watchTitle: "Scan to pay",
    watching: "This page checks every few seconds whether you’ve paid.",
    back: "Pay on this device instead",
    picture: "QR code to pay {amount} to {merchant}",
    address: "Payment page address",
    copy: "Copy",
    copied: "Copied",
    copyFailed: "Couldn’t copy. The text is selected.",
  },
  cancel: {
    open: "Cancel payment",
    question: "Cancel this payment? If you want to pay later, you’ll have to start again in the shop.",
    confirm: "Yes, cancel",
    busy: "Cancelling…",
  },

  receipt: {
    transaction: "Transaction",
    time: "Date",
    refunded: "Refunded",
    receivedBack: "Refunded to your wallet",
    paidFrom: "Charged to your wallet",
    rate: "Rate",
    next: "{merchant} has received your payment.",
    refundedInPart: "{refunded} of {amount} has been refunded to the wallet you paid from.",
    print: "Print",
    copy: "Copy receipt",
    copied: "Copied",
    copyFailed: "Couldn’t copy. The text is selected.",
  },
  leaveScreen: {
    signedIn: "You’re still signed in as {name}",
    advice: "Shared device? Sign out before you leave.",
    signOut: "Sign out on this device",
  },
  ended: {
    CANCELLED: "You haven’t been charged. If you still want to pay, start a new payment at {merchant}.",
    EXPIRED: "Time ran out and you haven’t been charged. To try again, start a new payment at {merchant}.",
    REFUND_PENDING:
      "{merchant} has started a refund of {refund}. Once it’s complete, the money will be in the wallet you paid from.",
    REFUNDED: "{merchant} refunded the full amount to the wallet you paid from.",
  },
  returnToShop: {
    link: "Return to {merchant}",
    counting: "Returning to {merchant} in {seconds} s.",
    stop: "Stay here",
  },

  deliveries: {
    title: "Webhook deliveries",
    delivered: "Webhook to {host}: delivered, response {status}.",
    waiting: "Webhook to {host}: not delivered yet.",
    rejected: "Webhook to {host}: failed with response {status}. It will be retried.",
    failed: "Webhook to {host}: failed, no more retries.",
    none: "No webhook was sent. Set a callback_url on the order or add a webhook endpoint.",
    order: "Order status in your shop: {status}.",
    /** WooCommerce's order statuses; others are shown unchanged. */
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
    ambiguousLarge: "“{typed}” could mean {small} or {large}. For {large}, enter {largeSpelling}.",
  },
  link: {
    resume: "Continue your payment",
    go: "Continue to payment",
    next: "Next, you’ll check the amount and pay from your wallet. You won’t be charged until you confirm.",
    amount: "Amount in {currency}",
    between: "{min} to {max}.",
    atLeast: "{min} or more.",
    atMost: "{max} or less.",
    wrongAmount: "This amount can’t be paid here. Enter a different amount.",
    rate_limited: "Please wait a minute and open the link again. You haven’t been charged.",
    away: "Opening this link doesn’t charge you. Please try again in a moment.",
    used: {
      title: "This link has already been used",
      explanation:
        "{merchant} set this link up for a limited number of payments, and they’ve all been made. No further payment can be made through it.",
    },
    expired: {
      title: "This link has expired",
      explanation: "{merchant} no longer accepts new payments through this link. Ask them for a new link.",
    },
    closed: {
      title: "This link is closed",
      explanation: "{merchant} isn’t accepting new payments through this link right now.",
    },
  },
  embed: {
    payHere: "Pay with Tillgate",
    next: "Opens Tillgate in a new tab. Only ever enter your PIN there, never on the shop’s page.",
    scan: "Or scan the code with your phone’s camera.",
    receipt: "View receipt",
  },
  till: {
    waiting: "Waiting for the shop to enter the amount. The payment will open here automatically.",
  },
  root: {
    explanation:
      "Payments start in a shop: check out there or scan the shop’s code. You then pay here with your Tillgate wallet.",
  },
  notFound: {
    title: "Payment not found",
    explanation: "The address may be incomplete. Open the payment from the shop again, or rescan the code.",
  },
  unavailable: {
    title: "We can’t reach the payment service",
    explanation:
      "If you’ve just paid, please don’t pay again. The result will appear here once the service is back.",
    scriptAdvice: "This page retries every few seconds.",
    retry: "Try again",
  },
  failed: {
    title: "Something went wrong",
    explanation:
      "We couldn’t show this page. Please try again. Payments you’ve already made aren’t affected.",
  },
  rejected: {
    title: "We couldn’t complete this step",
    origin: "The request didn’t come from the payment page, so nothing was changed.",
    method: "This address only accepts forms from the payment page. Nothing was changed.",
    size: "The form was too large, so nothing was changed.",
    form: "The form wasn’t valid, so nothing was changed.",
    back: "Go to payment",
  },

  notice: {
    form_rejected: "This page was out of date, so nothing was changed. Please try again.",
    wrong_sign_in: "Incorrect phone number, e-mail or PIN. Please try again.",
    phone_without_country:
      "Enter the phone number with its country code, such as +33 6 12 34 56 78, or use your e-mail. This doesn’t count as a wrong PIN.",
    wrong_pin: "Incorrect PIN. You haven’t been charged. Please try again.",
    pin_needed: "Enter your PIN to confirm this payment. You haven’t been charged yet.",
    passkey_refused:
      "We couldn’t verify your passkey, and you haven’t been charged. Try again or use your PIN.",
    too_many_passkeys: "You’ve reached the limit of 10 passkeys. Remove one in your wallet to add another.",
    passkey_added: "Passkey added. You can use it for your next payment.",
    passkey_not_added: "No passkey was added. You can add one after your next payment with your PIN.",
    invalid_pin: "Enter your 6-digit PIN. You haven’t been charged yet.",
    locked:
      "After too many wrong PINs, sign-in with this phone number or e-mail is temporarily locked on new devices. No money was taken. Devices you’ve signed in on before still work.",
    device_locked:
      "Too many wrong PINs were entered on this device, so it’s temporarily locked for your security. You haven’t been charged.",
    wrong_pins_before:
      "Before you signed in, someone entered too many wrong PINs for your phone number or e-mail. No one got in, and no money was taken.",
    too_many_attempts: "Too many attempts.",
    not_signed_in: "You’ve been signed out, and you haven’t been charged. Please sign in again.",
    no_wallet: "You don’t have a wallet that can pay this. You haven’t been charged.",
    wallet_closed:
      "Your wallet or the shop’s is closed. You haven’t been charged. Please use another wallet or contact the shop.",
    insufficient_balance: "There isn’t enough money in your wallet. You haven’t been charged.",
    no_rate:
      "There’s no exchange rate between this wallet and this payment right now. You haven’t been charged. Please use another wallet.",
    quote_expired:
      "The exchange rate expired, and you haven’t been charged. Check the new price and confirm again.",
    expired: "This payment expired before you finished. You haven’t been charged.",
    cancelled: "This payment was cancelled before you finished. You haven’t been charged.",
    already_paid: "This order has already been paid. You haven’t been charged for this attempt.",
    link_used:
      "This payment link has reached its maximum number of payments. You haven’t been charged for this one.",
    not_payable_now:
      "This payment can’t be made right now. You haven’t been charged. Please contact the shop.",
    sandbox_only: "Test buttons only work in test mode.",
    not_found: "Payment not found.",
    invalid_field: "Enter your phone number or e-mail and your 6-digit PIN.",
    declined: "Payment declined. This was a simulated decline; you can try again.",
    unavailable:
      "The payment service didn’t respond. The status below is up to date. Check it before you try again.",
    unconfirmed: "The payment service took too long to respond. You haven’t been charged. Try again.",
    pins_differ: "The PINs don’t match. Enter the new PIN twice.",
    trivial_pin: "This PIN is too easy to guess. Choose a different one.",
    same_pin: "That’s already your PIN. Choose a different one.",
    identifier_taken: "There’s already a wallet with this phone number or e-mail. Sign in instead.",
    unknown_shopper: "There’s no test wallet with this phone number or e-mail.",
    conversion_expired: "The exchange rate expired, so nothing was converted. Check the new rate.",
    cookies_needed: "Your browser is blocking cookies for this page. Allow them and try again.",
  } satisfies Record<NoticeCode, string>,
  /** Shown by the script when a step gets no response. */
  lostResponse: {
    offline:
      "You’re offline. Nothing was sent and you haven’t been charged. We’ll check again as soon as you’re back online.",
    unknown:
      "The connection dropped before we got a response. We’re checking whether your payment went through. You’ll never be charged twice for the same order.",
    unpaid: "You haven’t been charged. Try again.",
    step: "The connection dropped, so this may not have gone through. Try again.",
    again: "Try again",
  },
  missing: "You’re {missing} short.",
  wait: {
    seconds: "Please try again in {count, plural, one {# second} other {# seconds}}.",
    minutes: "Please try again in {count, plural, one {# minute} other {# minutes}}.",
    hours: "Please try again in {count, plural, one {# hour} other {# hours}}.",
    clock: "You can try again in {time}.",
    over: "You can try again now.",
  },
  /** The shopper's wallet at the pay origin. */
  account: {
    title: "Your Tillgate wallet",
    nav: { label: "Wallet", home: "Overview", activity: "Activity", security: "Security" },
    signOut: "Sign out",
    back: "Go to wallet",
    away: "Your money is safe. Please try again in a moment.",
    notFound: {
      title: "Page not found",
      explanation: "The address may be incomplete, or the page may belong to another wallet.",
    },
    signIn: {
      title: "Sign in to your wallet",
      next: "Next, you’ll see your balances and payments. You won’t be charged.",
      live: "Sign in to a real wallet instead",
      sandbox: "Sign in to a test wallet instead",
    },
    balances: { title: "Balances", none: "You don’t have any wallets yet." },
    latest: "Recent activity",
    all: "View all activity",
    activity: {
      title: "Activity",
      none: "No activity yet.",
      filter: "Wallet",
      every: "All wallets",
      pages: "Pages",
      newer: "Newer",
      older: "Older",
    },
    kind: {
      payment: "Payment to {merchant}",
      refund: "Refund from {merchant}",
      payout: "Payout from {merchant}",
      deposit: "Top-up",
      withdrawal: "Withdrawal",
      top_up: "Top-up for a test payment",
      conversion: "Conversion",
    },
    receipt: {
      back: "Back to activity",
      reference: "Reference",
      refund: "Refund",
      payout: "Payout",
      page: "Shop receipt",
      payment: "View payment",
      refundedBy: "Refunded by {merchant}",
      refunds: "Refunds",
      completed: "{amount} refunded on {time}.",
      pending: "{amount} refund in progress since {time}.",
    },
    pin: {
      title: "Change your PIN",
      hint: "This signs you out on all other devices.",
      old: "Current PIN",
      new: "New PIN",
      repeat: "Confirm new PIN",
      submit: "Change PIN",
    },
    hidden:
      "Your PIN was reset with only a phone number or e-mail, so your name, contact details, balances and earlier activity are hidden. You can still pay.",
    security: {
      sessions: "Where you’re signed in",
      signedInAt: "Signed in on {time}",
      current: "this browser",
      unknown: "Unknown browser",
      everywhere: "Sign out everywhere",
      everywhereHint: "Ends every session above, including this one, and removes all other trusted devices.",
      devices: "Trusted devices",
      devicesHint:
        "You’ve signed in on these devices before, so you can still sign in on them even after too many wrong PINs elsewhere. Remove any device you no longer have.",
      usedAt: "Last sign-in on {time}",
      forget: "Remove",
    },
    money: {
      currency: "Currency",
      amount: "Amount",
    },
    topUp: {
      title: "Top up",
      hint: "Test money is added right away. It has no real value.",
      submit: "Top up",
    },
    convert: {
      title: "Convert",
      from: "From",
      to: "To",
      gives: "You convert",
      gets: "You get",
      quote: "Get current rate",
      submit: "Convert",
      again: "Change amount",
    },
    create: {
      title: "Create a wallet",
      none: "No wallet yet?",
      hint: "This is a test wallet: any name works, and no real money is involved.",
      forOrder: "Create a test wallet, then come back to pay {amount} to {merchant}.",
      live: "The operator of this payment service opens wallets. Contact them to get one, or choose another payment method in the shop.",
      name: "Your name",
      email: "E-mail",
      eitherHint: "or a phone number",
      phone: "Phone number",
      phoneHint: "with country code",
      pin: "Choose a PIN",
      repeat: "Confirm PIN",
      amount: "Starting test balance",
      submit: "Create wallet",
      signIn: "Already have one? Sign in",
    },
    forgot: {
      title: "Forgot your PIN?",
      hint: "In test mode, you can set a new PIN here. You’ll be signed out everywhere, and the wallet’s name, contact details, balances and earlier activity will be hidden.",
      live: "Your money is safe. Contact the operator of this payment service to reset your PIN.",
      submit: "Set new PIN",
    },
    done: {
      pin_set: "Your new PIN is set.",
      made: "Your wallet is ready.",
      topped_up: "Money added to your wallet.",
      converted: "Conversion complete.",
      signed_out: "You’re signed out.",
      signed_out_everywhere: "You’re signed out everywhere.",
      session_ended: "That browser has been signed out.",
      device_forgotten: "Device removed and signed out.",
      passkey_removed:
        "Passkey removed. It can no longer confirm payments, so you can delete it from your device too.",
      pin_changed: "PIN changed. You’re signed out on all other devices.",
    } satisfies Record<Done, string>,
    /** Texts below a field with an error. */
    fieldErrors: {
      name: "Enter a name.",
      email: "Enter an e-mail address such as name@example.com, or a phone number below.",
      phone:
        "Enter a phone number with its country code, such as +33 6 12 34 56 78, or an e-mail address above.",
      identifier: "Enter the wallet’s phone number or e-mail.",
      currency: "Choose a currency from the list.",
      amount: "Enter an amount greater than zero, such as 12.50.",
      pin: "Enter 6 digits.",
      repeated_pin: "The PINs don’t match.",
    },
    /** Overrides the payment page's notices. */
    notice: {
      wrong_pin: "Incorrect PIN. Nothing was changed. Please try again.",
      invalid_field: "Something is missing or incorrect. Please check each field.",
      invalid_pin: "Each PIN must have 6 digits. Please fill in every field.",
      device_locked:
        "Too many wrong PINs were entered on this device, so it’s temporarily locked for your security.",
      not_signed_in: "You’ve been signed out, so nothing was changed. Please sign in again.",
      insufficient_balance: "There isn’t enough money in this wallet. Nothing was converted.",
      no_wallet: "This isn’t possible with your wallet or this currency. Nothing was changed.",
      wallet_closed: "This wallet is closed. Nothing was changed. Please use another wallet.",
      no_rate:
        "There’s no exchange rate between these currencies right now. Nothing was converted. Please choose another currency.",
      not_found: "This was already done.",
    },
  },
  languages: "Language",
};

type Catalogue<T> = T extends string ? string : { readonly [Name in keyof T]: Catalogue<T[Name]> };

export type Texts = Catalogue<typeof en>;
