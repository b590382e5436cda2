import { type SettingsTable, wholeNumber } from "@tillgate/service/settings";

/** What merchants' programs may ask, and how their credentials are guarded. */
export const requests = {
  /** Requests a minute of one merchant and mode to the Pay API, unless an administrator gave it another limit. */
  payRequestsAMinute: {
    name: "TILLGATE_PAY_REQUESTS_A_MINUTE",
    kind: wholeNumber(1, 100_000_000),
    default: 600,
  },
  /** The same for the Partner API. */
  partnerRequestsAMinute: {
    name: "TILLGATE_PARTNER_REQUESTS_A_MINUTE",
    kind: wholeNumber(1, 100_000_000),
    default: 120,
  },
  /** Requests a minute of one client address to the token endpoint. */
  tokensAMinute: { name: "TILLGATE_TOKENS_A_MINUTE", kind: wholeNumber(1, 100_000_000), default: 30 },
  /** Wrong secrets for one client id from one address in 15 minutes, after which further wrong ones wait. */
  wrongSecretsAClient: {
    name: "TILLGATE_WRONG_SECRETS_A_CLIENT",
    kind: wholeNumber(0, 1_000_000),
    default: 5,
  },
  /** Wrong secrets from one address in 15 minutes, after which further wrong ones wait. */
  wrongSecretsAnAddress: {
    name: "TILLGATE_WRONG_SECRETS_AN_ADDRESS",
    kind: wholeNumber(0, 1_000_000),
    default: 20,
  },
  /**
   * Recipients of payouts that do not exist and that one merchant may ask for in one mode and day, by lookups, quotes and bulk payouts.
   * Above it no lookup reveals a name until the day is over.
   */
  unknownRecipientsADay: {
    name: "TILLGATE_UNKNOWN_RECIPIENTS_A_DAY",
    kind: wholeNumber(1, 1_000_000),
    default: 200,
  },
  /** How long the log of merchants' calls of the API is kept, in days. */
  keepRequestsDays: { name: "TILLGATE_KEEP_REQUESTS_DAYS", kind: wholeNumber(1, 365), default: 7 },
  /** How long a credential is remembered, in milliseconds: a revocation takes that long at the most. */
  credentialCacheMs: { name: "TILLGATE_CREDENTIAL_CACHE_MS", kind: wholeNumber(0, 2_000), default: 2_000 },
} satisfies SettingsTable;
