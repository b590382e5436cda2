import { defineErrors } from "./error.js";

/** Most of these errors come with a more specific message. */
export const ADMINISTRATION_ERRORS = defineErrors({
  SubjectNotFound: {
    code: "not_found",
    status: 404,
    text: "Not found.",
    cause: "The object of the command does not exist.",
  },
  InvalidValue: {
    code: "invalid_value",
    status: 422,
    text: "Invalid value.",
    cause: "A value of the command is invalid.",
  },
  AlreadyExists: {
    code: "already_exists",
    status: 409,
    text: "Already exists.",
    cause: "The currency, the wallet user's phone or e-mail, or the pending request already exists.",
  },
  WrongPassword: {
    code: "wrong_password",
    status: 401,
    text: "Incorrect password.",
    cause: "The administrator's password is missing or wrong.",
  },
  OnlyRejectionRemains: {
    code: "only_rejection_remains",
    status: 409,
    text: "This payout or refund can only be rejected.",
    cause: "The recipient or a currency is deactivated, or the receiving wallet is closed.",
  },
  WalletNotEmpty: {
    code: "wallet_not_empty",
    status: 409,
    text: "The wallet is not empty.",
    cause: "A wallet with a balance or held funds cannot be closed.",
  },
  AuditBroken: {
    code: "audit_broken",
    status: 409,
    text: "The audit log is NOT intact.",
    cause: "Audit records were changed, inserted or removed.",
  },
  ConfirmationsBroken: {
    code: "confirmations_broken",
    status: 409,
    text: "The evidence of passkey payments is NOT valid.",
    cause: "A stored signature is not the payer's, or does not match the payment.",
  },
});
