/** Errors of the connector: HTTP status and likely cause. The name is the response's `error_code`, so it never changes. */
const failures = {
  store_not_found: { status: 404, words: "Store not found." },
  /** No such store order, or not with this key: one answer for both. */
  order_not_found: {
    status: 404,
    words: "Order not found in this store. Check whether two stores share one URL, or the order was deleted.",
  },
  payment_not_found: { status: 404, words: "No payment has been started for this order." },
  not_payable: { status: 422, words: "This order cannot be paid in its current state." },
  payment_refused: {
    status: 422,
    words: "Tillgate rejected the payment. Check the API key, mode and currency.",
  },
  credential_gone: {
    status: 503,
    words:
      "A payment was started with a client ID that's no longer configured. Set it as previous_client_id, or look up the payment in Tillgate.",
  },
  site_moved: {
    status: 503,
    words:
      "The connector's database belongs to another store or connector. Confirm whether it moved or is a copy.",
  },
  busy: { status: 503, words: "Another process is working on this order. It will be retried." },
  store_did_not_follow: {
    status: 503,
    words:
      "The store confirmed the change but still shows another status. A store plugin may be setting it back.",
  },
  /** An event that is genuine and that this version cannot read. */
  event_unreadable: {
    status: 500,
    words: "Unreadable event. The connector may be older than Tillgate.",
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
