import type { ComparedOrder, OrderDifference } from "@tillgate/contract";

/** Unless stated otherwise, times in this file are by the database's clock. */

export type PaymentState = "creating" | "pending" | "paid" | "expired" | "cancelled" | "refunded" | "refused";

/** Body of `POST /orders`, stored so that a retry is identical. */
export type PaymentRequest = {
  /** Decimal text with exactly the currency's decimal places. */
  amount: string;
  currency: string;
  payment_method: "both";
  reference: string;
  description: string;
  locale?: string;
  /** Identifies the store order. Missing in payments stored by older versions. */
  metadata?: Record<string, string>;
  callback_url: string;
  return_url: string;
  cancel_url: string;
  /** Seconds. */
  expires_in: number;
  idempotency_key: string;
};

export type Credential = {
  mode: "sandbox" | "live";
  clientId: string;
};

type PaymentCore = {
  id: number;
  storeOrderId: number;
  request: PaymentRequest;
  amountMinor: bigint;
  currency: string;
  /** Null in payments stored by older versions. */
  credential: Credential | null;
  isCurrent: boolean;
  cancelReason: string | null;
  trxId: string | null;
};

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
  /** Delay until the first check, in milliseconds. */
  checkInMs: number;
};

export type RecoveredPayment = Omit<NewPayment, "checkInMs"> & {
  order: TillgateOrder;
  trxId: string | null;
  /** By Tillgate's clock. */
  startedAt: Date;
  state: "pending" | "paid" | "refunded";
};

export type DueKind = "payment" | "order" | "refund";

export type DueSubject = {
  /** ID of the payment, the store order, or the Tillgate refund. */
  subject: string;
  storeOrderId: number;
};

export type ScheduledItem = DueSubject & {
  /** Increases with each lease; only the holder of the latest lease may complete or reschedule the item. */
  lease: number;
  /** Consecutive failures so far. */
  failures: number;
};

export type FollowedRefund = {
  refundId: string;
  storeOrderId: number;
  amountMinor: bigint;
  currency: string;
};

export type FollowedRefundState = {
  refundId: string;
  /** ID of the refund's record in the store; null if unknown, or if there is no record. */
  recordId: number | null;
  isRecorded: boolean;
};

export type RefundOutcome = "recorded" | "failed" | "open";

export type OutgoingRefundState =
  | "calling"
  | "pending"
  | "completed"
  | "failed"
  | "refused"
  | "repeated"
  | "ignored"
  | "given_up";

/** Body of `POST /refunds` for a refund made in the store, stored so that a retry is identical. */
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
  /** Tillgate's refund ID; null until known. */
  refundId: string | null;
  isDeleted: boolean;
  /** By the database's clock, in milliseconds. */
  ageMs: number;
};

export type ComparisonRun = {
  /** Increases with each run. */
  run: number;
  askedBy: "night" | "person";
  startedAt: Date;
  /** Null while in progress. */
  endedAt: Date | null;
  /** ID of the last payment compared or skipped. */
  afterId: number;
  /** Consecutive failures to read the next payment's order. */
  failures: number;
} & RunTotals;

/** Numbers of payments. */
export type Totals = {
  compared: number;
  /** Payments that could not be compared. */
  skipped: number;
};
/** Totals of a run, and those of its payments in live mode. */
export type RunTotals = Totals & { live: Totals };

/** Names are those of `plugin/rules/comparison.json`. */
export type FoundDifference = Pick<OrderDifference, "subject" | "field" | "kind" | "text" | "advice"> & {
  subjectId: string;
  repair: string | null;
};

export type PaymentDifferences = {
  /** Changes when a difference is added, changed, removed or marked as correct. */
  version: string;
  /** Differences marked as correct, as they are sent to Tillgate. */
  accepted: NonNullable<ComparedOrder["accepted"]>;
};

export type KnownDifference = FoundDifference & {
  paymentId: number;
  storeOrderId: number;
  /** Time of the first occurrence. */
  foundAt: Date;
};

export type DifferenceName = Pick<FoundDifference, "subject" | "subjectId" | "field"> & { paymentId: number };
