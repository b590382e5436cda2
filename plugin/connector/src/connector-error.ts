/**
 * What an operation of the connector says when it does not do what was asked: the status that the edges answer with, and
 * what it most likely means. The name is answered as `error_code`, so it never changes.
 */
const failures = {
  store_not_found: { status: 404, words: "There is no such store here." },
  /** No such store order, or not with this key: one answer for both. */
  order_not_found: {
    status: 404,
    words:
      "An event came for an order that this store does not have. Do two stores share one address, or is the order gone from the store?",
  },
  payment_not_found: { status: 404, words: "No payment was started for the order." },
  not_payable: { status: 422, words: "The order cannot be paid as it stands." },
  payment_refused: {
    status: 422,
    words: "Tillgate refuses the payment. Please check credentials, mode and currency.",
  },
  credential_gone: {
    status: 503,
    words:
      "A payment was begun with a client id that the connector does not have any more. Please give it back as previous_client_id, or look the payment up at Tillgate.",
  },
  site_moved: {
    status: 503,
    words:
      "The connector's database belongs to another store or connector. Say whether it moved or is a copy.",
  },
  busy: { status: 503, words: "Another process works on the same order; it is tried again." },
  store_did_not_follow: {
    status: 503,
    words:
      "The store answered that it changed the order and still shows another status. A plugin of the store may set it back.",
  },
  /** An event that is genuine and that this version cannot read. */
  event_unreadable: {
    status: 500,
    words: "An event could not be read. The connector may be older than Tillgate.",
  },
} as const;
export type ConnectorFailure = keyof typeof failures;

/** Its text is for people and holds no secret. */
export class ConnectorError extends Error {
  override readonly name = "ConnectorError";
  readonly status: number;
  /** What it most likely means, for who runs the connector. */
  readonly words: string;

  constructor(
    readonly failure: ConnectorFailure,
    text: string,
    options?: ErrorOptions,
  ) {
    super(text, options);
    ({ status: this.status, words: this.words } = failures[failure]);
  }
}
