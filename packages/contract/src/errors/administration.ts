import { defineErrors } from "./error.js";

/** Errors for administrators only. Most have a specific sentence, with details that the text cannot have. */
export const ADMINISTRATION_ERRORS = defineErrors({
  SubjectNotFound: {
    code: "not_found",
    status: 404,
    text: "There is no such thing.",
    cause: "What a command names does not exist.",
  },
  InvalidValue: {
    code: "invalid_value",
    status: 422,
    text: "A value cannot be used.",
    cause: "A value of a command cannot be used.",
  },
  AlreadyExists: {
    code: "already_exists",
    status: 409,
    text: "There is one already.",
    cause: "There is one already: a currency, a wallet user's phone, a waiting request.",
  },
  WrongPassword: {
    code: "wrong_password",
    status: 401,
    text: "This is not the password.",
    cause: "Who acts has not proved it: no password was given, or not the right one.",
  },
  OnlyRejectionRemains: {
    code: "only_rejection_remains",
    status: 409,
    text: "It can only be rejected.",
    cause: "The recipient or a currency was deactivated, or the receiving wallet closed.",
  },
  WalletNotEmpty: {
    code: "wallet_not_empty",
    status: 409,
    text: "The wallet still holds money.",
    cause: "A wallet that is to be closed holds money, or has money waiting in its hold.",
  },
  AuditBroken: {
    code: "audit_broken",
    status: 409,
    text: "The audit chains are NOT sound.",
    cause: "Audit records were changed, put between or taken out.",
  },
  ConfirmationsBroken: {
    code: "confirmations_broken",
    status: 409,
    text: "The evidence of payments by passkey does NOT hold.",
    cause: "A kept signature is not the payer's, or signs something else than what was paid.",
  },
});
