import { MAX_RECEIVERS } from "../limits.js";
import { refusals } from "./refusal.js";

/** Refusals for the console and the commands of administration. */
export const CONSOLE_REFUSALS = refusals({
  AlreadyDecided: {
    code: "already_decided",
    status: 409,
    text: "It is already decided",
    cause: "Somebody else decided on the payout or refund first.",
  },
  MerchantNotFound: {
    code: "merchant_not_found",
    status: 404,
    text: "Merchant not found",
    cause: "There is no such merchant, or it is not this user's.",
  },
  CredentialNotFound: {
    code: "credential_not_found",
    status: 404,
    text: "Credential not found",
    cause: "The merchant has no such credential.",
  },
  CredentialRevoked: {
    code: "credential_revoked",
    status: 409,
    text: "The credential is revoked",
    cause: "A revoked credential cannot be rotated.",
  },
  RotationUnderWay: {
    code: "rotation_under_way",
    status: 409,
    text: "The credential was rotated already and its old secret still works",
    cause: "A credential is rotated once at a time.",
  },
  DeliveryNotFound: {
    code: "delivery_not_found",
    status: 404,
    text: "Delivery not found",
    cause: "No delivery of this merchant and mode has this id.",
  },
  ReceiverInactive: {
    code: "receiver_inactive",
    status: 409,
    text: "The receiver is disabled or removed: enable it before sending again",
    cause: "Nothing is sent to a receiver that is disabled or removed.",
  },
  ReceiverNotFound: {
    code: "receiver_not_found",
    status: 404,
    text: "Endpoint not found",
    cause: "No endpoint of this merchant and mode has this id, or it was removed.",
  },
  EventNotFound: {
    code: "event_not_found",
    status: 404,
    text: "Event not found",
    cause: "No event of this merchant and mode has this id.",
  },
  ReceiverExists: {
    code: "receiver_exists",
    status: 409,
    text: "There is an endpoint with this address already",
    cause: "The merchant has an endpoint with this address.",
  },
  TooManyReceivers: {
    code: "too_many_receivers",
    status: 409,
    text: `There may be ${MAX_RECEIVERS} endpoints at most`,
    cause: "The merchant has as many endpoints as it may have in one mode.",
  },
  ReceiverRotationUnderWay: {
    code: "receiver_rotation_under_way",
    status: 409,
    text: "The secret was rotated already and the old one still signs",
    cause: "An endpoint's secret is rotated once at a time.",
  },
  ReferenceTaken: {
    code: "reference_taken",
    status: 409,
    text: "This external reference already names another movement.",
    cause: "The external reference of a deposit, withdrawal or top-up is unique.",
    param: "reference",
  },
  RequestNotFound: {
    code: "request_not_found",
    status: 404,
    text: "There is no such request.",
    cause: "No request that waits for a second administrator has this id.",
  },
  NeedsSecondAdministrator: {
    code: "needs_second_administrator",
    status: 403,
    text: "The administrator who asked cannot approve: another one must.",
    cause: "The administrator who asked approves as well.",
  },
  NotAnAdministrator: {
    code: "not_an_administrator",
    status: 403,
    text: "Who acts is no administrator any more.",
    cause: "The user is no console user with the role administrator.",
  },
  WalletNotFound: {
    code: "wallet_not_found",
    status: 404,
    text: "There is no such wallet.",
    cause: "No wallet has this id.",
  },
  CurrencyNotFound: {
    code: "currency_not_found",
    status: 404,
    text: "There is no such currency.",
    cause: "The currency table does not have this code.",
  },
  RaiseWaiting: {
    code: "raise_waiting",
    status: 409,
    text: "Another raise of this limit waits for a decision.",
    cause: "A limit has one waiting raise at a time.",
  },
  WrongEmailOrPassword: {
    code: "wrong_email_or_password",
    status: 401,
    text: "E-mail or password is not right",
    cause: "One of them is wrong; nothing says which.",
  },
  SignInLocked: {
    code: "sign_in_locked",
    status: 429,
    text: "Too many wrong passwords or codes",
    cause:
      "Too many wrong passwords for what was typed, or codes for a user; `Retry-After` says in how many seconds to try again.",
  },
  UserDisabled: {
    code: "user_disabled",
    status: 403,
    text: "This user is disabled",
    cause: "The password is right, but an administrator has disabled the user.",
  },
  RoleNotAllowed: {
    code: "role_not_allowed",
    status: 403,
    text: "Your role does not allow this",
    cause: "The user is a member of the merchant, in a role without this right.",
  },
  SecondFactorNeeded: {
    code: "second_factor_needed",
    status: 403,
    text: "The second factor is needed",
    cause: "The session still waits for its second factor.",
  },
  SecondFactorNotFresh: {
    code: "second_factor_not_fresh",
    status: 403,
    text: "Confirm this with your second factor",
    cause: "The second factor was not shown in the last 10 minutes; money and secrets need that.",
  },
  SecondFactorNotSetUp: {
    code: "second_factor_not_set_up",
    status: 403,
    text: "Set up a second factor first",
    cause: "The user has no second factor, or has not begun to set one up.",
  },
  SecondFactorExists: {
    code: "second_factor_exists",
    status: 409,
    text: "There is an authenticator app already: turn it off first",
    cause: "A user has one authenticator app.",
  },
  LinkNotValid: {
    code: "link_not_valid",
    status: 404,
    text: "This link is no longer valid: ask for another one",
    cause: "The link was used, is too old, or never was one.",
  },
  WrongCode: {
    code: "wrong_code",
    status: 401,
    text: "The code is not right",
    cause: "It is wrong, too old, or was used already.",
  },
  SessionNotFound: {
    code: "session_not_found",
    status: 404,
    text: "Session not found",
    cause: "No session of this user that lasts has this id.",
  },
});
