/**
 * What the connector must remember over a crash, as ports: PostgreSQL behind them in the service. Whatever stands
 * behind must be durable and shared by all processes of one connector; memory is not.
 */

/** Insert-wins claims: at any time one holder of a name, and none for longer than it asked for without keeping it. */
export interface Claims {
  /** @returns the token of the new claim, or null where another holds the name */
  take(name: string, forMs: number): Promise<string | null>;
  /** Starts the time of a claim anew. @returns false where it is not ours any more */
  keep(name: string, token: string, forMs: number): Promise<boolean>;
  release(name: string, token: string): Promise<void>;
}

export type AttemptState = "creating" | "pending" | "paid" | "expired" | "cancelled" | "refunded" | "refused";

/** What is sent to `POST /orders`, kept so that a repeat is the same call. */
export interface AttemptRequest {
  /** Decimal text with exactly the currency's digits. */
  amount: string;
  currency: string;
  payment_method: "both";
  reference: string;
  description: string;
  callback_url: string;
  return_url: string;
  cancel_url: string;
  /** Seconds. */
  expires_in: number;
  idempotency_key: string;
}

/** A try to have a store order paid, before Tillgate's answer is known. */
interface AttemptCore {
  id: bigint;
  storeOrderId: number;
  request: AttemptRequest;
  amountMinor: bigint;
  currency: string;
  isCurrent: boolean;
  cancelReason: string | null;
  trxId: string | null;
  failedChecks: number;
}

/** Tillgate's order of an attempt. */
export interface AttemptOrder {
  tillgateOrderId: string;
  paymentUrl: string;
  qrData: string | null;
  expiresAt: Date;
}

export type UnknownAttempt = AttemptCore & { state: "creating" | "refused"; order: null };
export type KnownAttempt = AttemptCore & {
  state: Exclude<AttemptState, "creating" | "refused">;
  order: AttemptOrder;
};
export type Attempt = UnknownAttempt | KnownAttempt;

export interface NewAttempt {
  storeOrderId: number;
  request: AttemptRequest;
  amountMinor: bigint;
  currency: string;
  /** When the sweep first looks at it, in milliseconds from now. */
  checkInMs: number;
}

export interface Attempts {
  current(storeId: string, storeOrderId: number): Promise<Attempt | null>;
  byTillgateOrder(storeId: string, tillgateOrderId: string): Promise<KnownAttempt | null>;
  byId(id: bigint): Promise<Attempt | null>;
  /** Which of these store orders have a current attempt that may still be paid. */
  openOf(storeId: string, storeOrderIds: number[]): Promise<Attempt[]>;
  /** Stores the new current attempt; the one before it stays as an older one. */
  start(storeId: string, attempt: NewAttempt): Promise<Attempt>;
  /** creating → pending, with Tillgate's answer. */
  created(id: bigint, order: AttemptOrder): Promise<KnownAttempt>;
  refused(id: bigint): Promise<void>;
  /** Remembers that the connector is about to cancel it, and why. */
  cancelling(id: bigint, reason: string): Promise<void>;
  /** The end is in the shop. */
  settled(
    id: bigint,
    state: "paid" | "expired" | "cancelled" | "refunded",
    trxId: string | null,
  ): Promise<void>;
  /** Takes attempts that are due for a check; each is due again after `leaseMs` whatever happens. */
  takeDue(storeId: string, limit: number, leaseMs: number): Promise<Attempt[]>;
  /** Tillgate answered: nothing is wrong. */
  checked(id: bigint, nextInMs: number): Promise<void>;
  checkFailed(id: bigint, nextInMs: number): Promise<void>;
  givenUp(id: bigint): Promise<void>;
}

export interface NewEvent {
  eventId: string;
  event: string;
  tillgateOrderId: string;
  body: string;
}

export interface Events {
  /** Stores an event before it has an effect, or counts another try of it. */
  receive(storeId: string, event: NewEvent): Promise<void>;
  isDone(storeId: string, eventId: string): Promise<boolean>;
  done(storeId: string, eventId: string, outcome: string): Promise<void>;
  /** Removes what is done and older than that. @returns how many */
  prune(storeId: string, olderThanMs: number): Promise<number>;
}

export interface NewRefund {
  refundId: string;
  storeOrderId: number;
  amountMinor: bigint;
  currency: string;
}

export interface RecordedRefunds {
  /** Stores that this refund is being recorded in the shop. @returns the shop's record where it is known already */
  begin(storeId: string, refund: NewRefund): Promise<{ storeRefundId: number | null; recorded: boolean }>;
  /** @param storeRefundId null where the shop can not have a record of it */
  recorded(storeId: string, refundId: string, storeRefundId: number | null): Promise<void>;
}

export interface Cursors {
  read(storeId: string): Promise<Date | null>;
  write(storeId: string, modifiedAfter: Date): Promise<void>;
}

export interface Records {
  claims: Claims;
  attempts: Attempts;
  events: Events;
  refunds: RecordedRefunds;
  cursors: Cursors;
}
