import { type SettingsTable, wholeNumber } from "@tillgate/service/settings";

/** How shoppers sign in and pay. */
export const shoppers = {
  /** How long a shopper who chose to stay signed in is remembered after the last PIN, in seconds: for name and wallets only. */
  walletSessionSeconds: {
    name: "TILLGATE_WALLET_SESSION_SECONDS",
    kind: wholeNumber(60, 30 * 86_400),
    default: 7 * 86_400,
  },
  /** How long other shoppers stay signed in after the last PIN, in seconds, unless the browser is closed before. */
  walletVisitSeconds: {
    name: "TILLGATE_WALLET_VISIT_SECONDS",
    kind: wholeNumber(60, 86_400),
    default: 3_600,
  },
  /** How long after a PIN a shopper pays the order it was entered for without another, in seconds. */
  pinFreshSeconds: { name: "TILLGATE_PIN_FRESH_SECONDS", kind: wholeNumber(0, 3_600), default: 300 },
  /** Sign-ins in a minute, to the console too, after which an address is slowed, and an own device refused. */
  signInsAMinute: { name: "TILLGATE_SIGN_INS_A_MINUTE", kind: wholeNumber(1, 100_000), default: 30 },
  /** Wrong PINs after which a phone number or e-mail is locked for strangers, or an own device, for a while; of a console user wrong passwords, or codes. */
  wrongPinsUntilLock: { name: "TILLGATE_WRONG_PINS_UNTIL_LOCK", kind: wholeNumber(1, 100), default: 5 },
  /** Wrong PINs of strangers, or wrong passwords, after which their client address is slowed; one is forgotten every 10 minutes. */
  wrongPinsAnAddress: { name: "TILLGATE_WRONG_PINS_AN_ADDRESS", kind: wholeNumber(1, 100_000), default: 30 },
  /** How long the first such lock lasts, in seconds; the next ones 5, 15, 60, 240 and 1,440 times that, a day at most. */
  pinLockSeconds: { name: "TILLGATE_PIN_LOCK_SECONDS", kind: wholeNumber(1, 86_400), default: 60 },
  /** Payments one shopper may try to confirm in a minute. */
  confirmsAMinute: { name: "TILLGATE_CONFIRMS_A_MINUTE", kind: wholeNumber(1, 100_000), default: 30 },
  /** Quotes one shopper may ask for in a minute. */
  shopperQuotesAMinute: {
    name: "TILLGATE_SHOPPER_QUOTES_A_MINUTE",
    kind: wholeNumber(1, 100_000),
    default: 30,
  },
  /** Live status streams one order may have open in this process. */
  streamsAnOrder: { name: "TILLGATE_STREAMS_AN_ORDER", kind: wholeNumber(1, 10_000), default: 20 },
  /** Live status streams one client address may have open in this process. */
  streamsAnAddress: { name: "TILLGATE_STREAMS_AN_ADDRESS", kind: wholeNumber(1, 10_000), default: 30 },
} satisfies SettingsTable;
