/** Why an administrator's command was refused. The message of the error is the sentence for people. */
export enum AdministrationRefusal {
  /** Who acts is no console user with the role administrator. */
  NotAnAdministrator = "not_an_administrator",
  /** Who acts has not proved it: no password was given, or not the right one. */
  WrongPassword = "wrong_password",
  /** What a command names does not exist. */
  NotFound = "not_found",
  /** A value cannot be used. */
  InvalidValue = "invalid_value",
  /** There is one already: a currency, a wallet user's phone, a waiting request. */
  AlreadyExists = "already_exists",
  /** The external reference names another movement. */
  ReferenceTaken = "reference_taken",
  /** Someone else decided first. */
  AlreadyDecided = "already_decided",
  /** The administrator who asked cannot approve as well. */
  NeedsSecondAdministrator = "needs_second_administrator",
  /** Only rejection remains: the recipient was deactivated or the receiving wallet closed. */
  OnlyRejectionRemains = "only_rejection_remains",
  InsufficientBalance = "insufficient_balance",
  WalletClosed = "wallet_closed",
  /** A wallet that is to be closed holds money, or has money waiting in its hold. */
  WalletNotEmpty = "wallet_not_empty",
  /** Audit records were changed, put between or taken out. */
  AuditBroken = "audit_broken",
}

/** Thrown by administration: a refusal that a person can understand, never a broken invariant. */
export class AdministrationError extends Error {
  override readonly name = "AdministrationError";

  constructor(
    readonly refusal: AdministrationRefusal,
    message: string,
    /** One sentence per line of a file, for an import. */
    readonly lines: readonly string[] = [],
  ) {
    super(message);
  }
}

export const notFound = (what: string): AdministrationError =>
  new AdministrationError(AdministrationRefusal.NotFound, `There is no ${what}.`);

export const invalidValue = (message: string): AdministrationError =>
  new AdministrationError(AdministrationRefusal.InvalidValue, message);
