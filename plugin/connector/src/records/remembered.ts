/** What the records hold, as the rest of the connector sees it. Times are the database's own. */

export type PaymentState = "creating" | "pending" | "paid" | "expired" | "cancelled" | "refunded" | "refused";

/** What is sent to `POST /orders`, kept so that a repeat is the same call. */
export type PaymentRequest = {
  /** Decimal text with exactly the currency's digits. */
  amount: string;
  currency: string;
  payment_method: "both";
  reference: string;
  description: string;
  locale?: string;
  /** Left out in one from before the mark of its store order. */
  metadata?: Record<string, string>;
  callback_url: string;
  return_url: string;
  cancel_url: string;
  /** Seconds. */
  expires_in: number;
  idempotency_key: string;
};

/** A client of Tillgate, without its secret. */
export type Credential = {
  mode: "sandbox" | "live";
  clientId: string;
};

/** A try to have a store order paid, before Tillgate's answer is known. */
type PaymentCore = {
  id: number;
  storeOrderId: number;
  request: PaymentRequest;
  amountMinor: bigint;
  currency: string;
  /** What it was begun with; null for one from before that was kept. */
  credential: Credential | null;
  isCurrent: boolean;
  cancelReason: string | null;
  trxId: string | null;
};

/** Tillgate's order of a payment. */
export type TillgateOrder = {
  tillgateOrderId: string;
  paymentUrl: string;
  qrData: string | null;
  expiresAt: Date;
};

export type UnplacedPayment = PaymentCore & { state: "creating" | "refused"; order: null };
export type PlacedPayment = PaymentCore & {
  state: Exclude<PaymentState, "creating" | "refused">;
  order: TillgateOrder;
};
export type Payment = UnplacedPayment | PlacedPayment;

export type NewPayment = {
  storeOrderId: number;
  request: PaymentRequest;
  amountMinor: bigint;
  currency: string;
  credential: Credential;
  /** When the sweep first looks at it, in milliseconds from now. */
  checkInMs: number;
};

/** A payment that Tillgate has an order of and the records do not have any more. */
export type AdoptedPayment = Omit<NewPayment, "checkInMs"> & {
  order: TillgateOrder;
  trxId: string | null;
  /** By Tillgate's clock. */
  beganAt: Date;
  state: "pending" | "paid" | "refunded";
};

/** What becomes due: the check of a payment, a look at a store order, the check of a refund at Tillgate. */
export type DueKind = "payment" | "order" | "refund";

export type DueSubject = {
  /** The payment's id, the store's number of the order, or Tillgate's of the refund. */
  subject: string;
  storeOrderId: number;
};

/** Something that is due and was taken. */
export type ScheduledItem = DueSubject & {
  /** Which taking of it this is: only the newest may settle it. */
  lease: number;
  /** In a row so far. */
  failures: number;
};

export type FollowedRefund = {
  refundId: string;
  storeOrderId: number;
  amountMinor: bigint;
  currency: string;
};

export type RefundEnd = "recorded" | "failed" | "open";

export type OutgoingRefundState =
  | "calling"
  | "pending"
  | "completed"
  | "failed"
  | "refused"
  | "repeated"
  | "ignored"
  | "given_up";

/** What is sent to `POST /refunds` for a refund made in the store, kept so that a repeat is the same call. */
export type NewOutgoingRefund = {
  recordId: number;
  storeOrderId: number;
  tillgateOrderId: string;
  trxId: string;
  idempotencyKey: string;
  reference: string;
  reason: string;
  amountMinor: bigint;
  currency: string;
};

export type OutgoingRefund = NewOutgoingRefund & {
  state: OutgoingRefundState;
  /** Tillgate's number; null while it is not known. */
  refundId: string | null;
  deleted: boolean;
  /** How long ago its row was made by the database's own clock, in milliseconds. */
  ageMs: number;
};

/** A comparison of the shop's books with Tillgate's. */
export type ComparisonRun = {
  /** Counts up. */
  run: number;
  askedBy: "night" | "person";
  startedAt: Date;
  /** Null while it is under way. */
  endedAt: Date | null;
  /** The last payment that it passed. */
  afterId: number;
  /** Failed tries in a row at the payment after it. */
  failures: number;
  compared: number;
  /** Payments that could not be compared. */
  skipped: number;
};

/** A difference as it is found; its names are those of `plugin/rules/comparison.json`. */
export type FoundDifference = {
  subject: "order" | "refund" | "record";
  subjectId: string;
  field: string;
  kind: string;
  repair: string | null;
  text: string;
  advice: string;
};

export type KnownDifference = FoundDifference & {
  paymentId: number;
  storeOrderId: number;
  /** When it was seen first. */
  foundAt: Date;
};

/** Which difference is meant. */
export type DifferenceName = Pick<FoundDifference, "subject" | "subjectId" | "field"> & { paymentId: number };
