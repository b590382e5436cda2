/** The keys are the `error_code` of responses and must not change. */
const ERRORS = {
  store_not_found: { status: 404, hint: "Shop not found." },
  /** The order is unknown or its key is wrong. Both get the same response. */
  order_not_found: {
    status: 404,
    hint: "Order not found in this shop. Check whether two shops share one URL, or the order was deleted.",
  },
  payment_not_found: { status: 404, hint: "No payment has been started for this order." },
  not_payable: { status: 422, hint: "This order cannot be paid in its current state." },
  payment_refused: {
    status: 422,
    hint: "Tillgate rejected the payment. Check the API key, mode and currency.",
  },
  credential_gone: {
    status: 503,
    hint: "A payment was started with a client ID that’s no longer configured. Set it as previous_client_id, or look up the payment in Tillgate.",
  },
  site_moved: {
    status: 503,
    hint: "The connector’s database belongs to another shop or connector. Confirm whether the shop moved or this is a copy.",
  },
  busy: { status: 503, hint: "Another process is working on this order. It will be retried." },
  store_did_not_follow: {
    status: 503,
    hint: "The shop confirmed the change but still shows another status. A shop plugin may be setting it back.",
  },
  /** The signature is valid, but this version cannot parse the event. */
  event_unreadable: {
    status: 500,
    hint: "Unreadable event. The connector may be older than Tillgate.",
  },
} as const;
export type ConnectorErrorCode = keyof typeof ERRORS;

/** The message is shown to users and contains no secrets. */
export class ConnectorError extends Error {
  override readonly name = "ConnectorError";
  readonly status: number;
  /** Likely cause and remedy, for the operator of the connector. */
  readonly hint: string;

  constructor(
    readonly code: ConnectorErrorCode,
    text: string,
    options?: ErrorOptions,
  ) {
    super(text, options);
    ({ status: this.status, hint: this.hint } = ERRORS[code]);
  }
}
