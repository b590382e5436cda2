/**
 * What an operation of the connector says when it does not do what was asked. The edges turn each into a status and answer
 * it as `error_code`, so it never changes; the text is for people and holds no secret.
 */
export type ConnectorFailure =
  | "store_not_found"
  /** No such store order, or not with this key: one answer for both. */
  | "order_not_found"
  /** No payment was started for the order. */
  | "payment_not_found"
  /** The order can not be paid as it stands. */
  | "not_payable"
  /** Tillgate refuses the payment. */
  | "payment_refused"
  /** The payment belongs to a credential that the connector does not have any more. */
  | "credential_gone"
  /** Another process works on the same order. */
  | "busy"
  /** The store was told and does not show it. */
  | "store_did_not_follow"
  /** An event that is genuine and that this version can not read. */
  | "event_unreadable";

export class ConnectorError extends Error {
  override readonly name = "ConnectorError";

  constructor(
    readonly failure: ConnectorFailure,
    text: string,
    options?: ErrorOptions,
  ) {
    super(text, options);
  }
}
