import { refusals } from "./refusal.js";

/** Refusals of callers: by their credentials, and by how often they call. */
export const CALLER_REFUSALS = refusals({
  /** Missing, malformed, unknown, revoked or wrong: the answer does not say which. */
  InvalidCredentials: {
    code: "invalid_credentials",
    status: 401,
    text: "Invalid API credentials.",
    cause: {
      pay: "Client id or secret is missing or wrong.",
      partner: "The API token is missing or wrong.",
    },
  },
  WrongMode: {
    code: "wrong_mode",
    status: 401,
    text: "Invalid API credentials. This is a {mode} key.",
    cause: "The secret is right, but the key is for the other mode's base path.",
  },
  InvalidSecretId: {
    code: "invalid_secret_id",
    status: 400,
    text: "Invalid secret ID",
    cause: "The client is unknown or the secret is wrong; one answer for both.",
  },
  SecretIdOfOtherMode: {
    code: "secret_id_of_other_mode",
    status: 400,
    text: "Invalid secret ID. This is a {mode} key.",
    cause: "The secret is right, but the key is for the other mode's base path.",
  },
  InvalidAccessToken: {
    code: "invalid_access_token",
    status: 403,
    text: "Requested with invalid token!",
    cause:
      "The access token is missing, malformed, expired or of the other mode, or its credential was revoked.",
  },
  PartnerApiDisabled: {
    code: "partner_api_disabled",
    status: 403,
    text: "Partner payout API is not enabled for this account.",
    cause: "An administrator has not enabled the API for the account.",
  },
  ReadOnlyCredential: {
    code: "read_only_credential",
    status: 403,
    text: "This key may only read.",
    cause: "The key was made for reading only, and the call would change or ask for something.",
  },
  OrderOnlyCredential: {
    code: "order_only_credential",
    status: 403,
    text: "This key may only create and cancel orders.",
    cause: "The key was created for orders only, and the call would change something else.",
  },
  MerchantSuspended: {
    code: "merchant_suspended",
    status: 403,
    text: "This account is suspended.",
    cause: "An administrator has suspended the account.",
  },
  TooManyRequests: {
    code: "too_many_requests",
    status: 429,
    text: "Too many requests",
    cause:
      "Over the rate limit, or too many wrong secrets from one address. `Retry-After` says in how many seconds to try again.",
  },
});
