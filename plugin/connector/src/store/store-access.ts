/** A store order, as much of it as payments need. Money is text in the store's own decimals. */
export type StoreOrder = {
  id: number;
  number: string;
  /** Without `wc-`. */
  status: string;
  /** Whether the store takes a payment of it now. */
  isPayable: boolean;
  /** Whether it counts as paid in the store. */
  isPaid: boolean;
  currency: string;
  total: string;
  orderKey: string;
  paymentMethod: string;
  /** Empty where nothing has paid it. */
  transactionId: string;
  /** By the store's clock; null where the store does not tell. */
  modifiedAt: Date | null;
  /** Whether the shop has refunds of it; null where the store does not tell. */
  hasRefunds: boolean | null;
  /** What is bought, without fees and shipping. */
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
  /** The Tillgate refund this is the record of; null for one that was made in the shop. */
  tillgateRefundId: string | null;
  /** The number of a Tillgate refund that its reason ends with; anybody may write that. */
  refundIdInReason: string | null;
};

/** A line of an order, its shipping or a fee, with amounts as decimal texts, finer than the currency. */
export type OrderLine = {
  id: number;
  /** How many pieces; 0 for shipping and fees. */
  quantity: number;
  /** Without tax. */
  total: string;
  taxes: readonly { id: number; total: string }[];
};

export type NewRefundRecord = {
  /** Decimal text in the currency's digits. */
  amount: string;
  reason: string;
  tillgateRefundId: string;
  /** What of it is refunded of each line; none where only the amount is recorded. */
  lines: readonly OrderLine[];
  /** Whether the lines' pieces go back into stock. */
  restocks: boolean;
};

export type StoreWebhook = {
  status: string;
  topic: string;
  deliveryUrl: string;
};

/** An order that changed in the store. */
export type StoreOrderChanged = {
  id: number;
  /** By the store's clock; null where the store does not tell. */
  modifiedAt: Date | null;
};

export type StorePage = {
  changes: StoreOrderChanged[];
  /** Rows that could not be read. */
  skipped: number;
  isLast: boolean;
};

/**
 * A store as the connector sees it. Every method throws StoreError where the store cannot be asked or answers
 * something else than asked for.
 */
export type StoreAccess = {
  /** @returns null where the store has no such order */
  order(orderId: number): Promise<StoreOrder | null>;
  change(orderId: number, change: StoreOrderChange): Promise<void>;
  /** Lines first, then shipping, then fees. */
  lines(orderId: number): Promise<OrderLine[]>;
  notes(orderId: number): Promise<string[]>;
  addNote(orderId: number, text: string): Promise<void>;
  /** In the order of their numbers. */
  refunds(orderId: number): Promise<RefundRecord[]>;
  /** Records a refund that was made elsewhere: the store's own gateway is not asked. @returns the record's number */
  recordRefund(orderId: number, refund: NewRefundRecord): Promise<number>;
  /** The store's own webhooks. */
  webhooks(): Promise<StoreWebhook[]>;
  /** One page of the orders that changed after a time, the oldest change first. Pages count from 1. */
  ordersModifiedAfter(since: Date, page: number): Promise<StorePage>;
};

/** Why the store did not do what was asked. */
export type StoreFailure =
  /** No answer: network or name. */
  | "unreachable"
  | "timeout"
  /** Its TLS certificate is not trusted. */
  | "certificate"
  /** WordPress rejects the REST keys, or they may not do this. */
  | "credentials"
  /** The web server asks for a password of its own. */
  | "password"
  /** 401 or 403 that is not WordPress's: a firewall or a security plugin. */
  | "blocked"
  | "maintenance"
  | "redirect"
  | "rate_limit"
  /** The REST API has no address: permalinks are plain. */
  | "permalinks"
  /** 5xx. */
  | "failed"
  /** Another 4xx, with the store's own text. */
  | "refused"
  /** An answer that is not the store's: a page of HTML, another shape. */
  | "answer";

/** The store did not do what was asked. Its text never holds the consumer secret. */
export class StoreError extends Error {
  override readonly name = "StoreError";

  constructor(
    readonly failure: StoreFailure,
    text: string,
    /** How long the store asks to wait before the next call, in milliseconds. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(text);
  }
}
