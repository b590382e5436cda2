/** Amounts are decimal text with the store's number of decimals. */
export type StoreOrder = {
  id: number;
  number: string;
  /** Without `wc-`. */
  status: string;
  isPayable: boolean;
  isPaid: boolean;
  currency: string;
  total: string;
  orderKey: string;
  paymentMethod: string;
  /** Empty if the store has none. */
  transactionId: string;
  /** By the store's clock; null if the store does not report it. */
  modifiedAt: Date | null;
  /** Null if the store does not report refunds. */
  hasRefunds: boolean | null;
  items: readonly { name: string; quantity: number }[];
};

export type StoreOrderChange = {
  set_paid?: true;
  status?: "pending" | "on-hold" | "failed" | "cancelled" | "processing";
  transaction_id?: string;
};

export type RefundRecord = {
  id: number;
  amount: string;
  reason: string;
  /** ID of the recorded Tillgate refund; null for a refund made in the shop. */
  tillgateRefundId: string | null;
  /** ID of a Tillgate refund at the end of the reason. Not trusted, because users can write it too. */
  refundIdInReason: string | null;
};

/** A line item, shipping or fee of an order. Amounts are decimal text with more decimal places than the currency has. */
export type OrderLine = {
  id: number;
  /** 0 for shipping and fees. */
  quantity: number;
  /** Without tax. */
  total: string;
  taxes: readonly { id: number; total: string }[];
};

export type NewRefundRecord = {
  /** Decimal text with exactly the currency's decimal places. */
  amount: string;
  reason: string;
  tillgateRefundId: string;
  /** Refunded share of each line; empty to record only the amount. */
  lines: readonly OrderLine[];
  restocks: boolean;
};

export type StoreWebhook = {
  status: string;
  topic: string;
  deliveryUrl: string;
};

export type StoreOrderChanged = {
  id: number;
  /** By the store's clock; null if the store does not report it. */
  modifiedAt: Date | null;
};

export type StorePage = {
  changes: StoreOrderChanged[];
  /** Entries that could not be read. */
  skipped: number;
  isLast: boolean;
};

/** Every method throws StoreError if the store is unavailable, rejects the request or returns an unexpected response. */
export type StoreAccess = {
  /** @returns null if the order does not exist */
  order(orderId: number): Promise<StoreOrder | null>;
  change(orderId: number, change: StoreOrderChange): Promise<void>;
  /** Returns line items, then shipping, then fees. */
  lines(orderId: number): Promise<OrderLine[]>;
  notes(orderId: number): Promise<string[]>;
  addNote(orderId: number, text: string): Promise<void>;
  /** Returns refunds sorted by ID. */
  refunds(orderId: number): Promise<RefundRecord[]>;
  /** Records a refund made elsewhere, without calling the payment gateway. @returns the record's ID */
  recordRefund(orderId: number, refund: NewRefundRecord): Promise<number>;
  webhooks(): Promise<StoreWebhook[]>;
  /** Returns the oldest change first. Pages start at 1. */
  ordersModifiedAfter(since: Date, page: number): Promise<StorePage>;
};

export type StoreFailure =
  /** No response: network or DNS. */
  | "unreachable"
  | "timeout"
  /** Its TLS certificate is not trusted. */
  | "certificate"
  /** WordPress rejects the REST API keys, or they lack permission. */
  | "credentials"
  /** The web server requires a password (HTTP authentication). */
  | "password"
  /** 401 or 403 not from WordPress: a firewall or a security plugin. */
  | "blocked"
  | "maintenance"
  | "redirect"
  | "rate_limit"
  /** Plain permalinks: the REST API has no URL. */
  | "permalinks"
  /** 5xx. */
  | "failed"
  /** Another 4xx, with the store's message. */
  | "refused"
  /** Not a response of the store's REST API: an HTML page, or unexpected JSON. */
  | "answer";

/** The message never contains the consumer secret. */
export class StoreError extends Error {
  override readonly name = "StoreError";

  constructor(
    readonly failure: StoreFailure,
    text: string,
    readonly retryAfterMs: number | null = null,
  ) {
    super(text);
  }
}
