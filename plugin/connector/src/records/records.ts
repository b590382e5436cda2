/**
 * What the connector must remember over a crash, as ports: PostgreSQL or a SQLite file behind them. Whatever stands behind
 * must be durable and shared by all processes of one connector; memory is not. Times are the database's own.
 */

import type { FollowedRefunds, OutgoingRefunds } from "./refund-records.js";

export type * from "./refund-records.js";

/** Insert-wins claims: at any time one holder of a name, and none for longer than it asked for without keeping it. */
export interface Claims {
  /** @returns the token of the new claim, or null where another holds the name */
  take(name: string, forMs: number): Promise<string | null>;
  /** Starts the time of a claim anew. @returns false where it is not ours any more */
  keep(name: string, token: string, forMs: number): Promise<boolean>;
  release(name: string, token: string): Promise<void>;
}

export type PaymentState = "creating" | "pending" | "paid" | "expired" | "cancelled" | "refunded" | "refused";

/** What is sent to `POST /orders`, kept so that a repeat is the same call. */
export interface PaymentRequest {
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

/** A client of Tillgate, without its secret. */
export interface Credential {
  mode: "sandbox" | "live";
  clientId: string;
}

/** A try to have a store order paid, before Tillgate's answer is known. */
interface PaymentCore {
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
}

/** Tillgate's order of a payment. */
export interface TillgateOrder {
  tillgateOrderId: string;
  paymentUrl: string;
  qrData: string | null;
  expiresAt: Date;
}

export type UnplacedPayment = PaymentCore & { state: "creating" | "refused"; order: null };
export type PlacedPayment = PaymentCore & {
  state: Exclude<PaymentState, "creating" | "refused">;
  order: TillgateOrder;
};
export type Payment = UnplacedPayment | PlacedPayment;

export interface NewPayment {
  storeOrderId: number;
  request: PaymentRequest;
  amountMinor: bigint;
  currency: string;
  credential: Credential;
  /** When the sweep first looks at it, in milliseconds from now. */
  checkInMs: number;
}

export interface Payments {
  current(storeId: string, storeOrderId: number): Promise<Payment | null>;
  byTillgateOrder(storeId: string, tillgateOrderId: string): Promise<PlacedPayment | null>;
  byId(id: number): Promise<Payment | null>;
  /** The payments that these transactions paid. */
  byTransactions(storeId: string, trxIds: string[]): Promise<PlacedPayment[]>;
  /** Which of these store orders have any payment. */
  knownOrders(storeId: string, storeOrderIds: number[]): Promise<number[]>;
  /** Stores the new current payment; the one before it stays as an older one. */
  start(storeId: string, payment: NewPayment): Promise<Payment>;
  /** creating → pending, with Tillgate's answer. */
  placed(id: number, order: TillgateOrder): Promise<PlacedPayment>;
  refused(id: number): Promise<void>;
  /** Remembers that the connector is about to cancel it, and why. */
  cancelling(id: number, reason: string): Promise<void>;
  /** The end is in the shop. */
  settled(
    id: number,
    state: "paid" | "expired" | "cancelled" | "refunded",
    trxId: string | null,
  ): Promise<void>;
  /** It is not checked any more. */
  givenUp(id: number): Promise<void>;
  /** How many are under way, and how many of those are not checked any more. */
  count(storeId: string): Promise<{ underWay: number; givenUp: number }>;
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

/** What becomes due: the check of a payment, a look at a store order, the check of a refund at Tillgate. */
export type DueKind = "payment" | "order" | "refund";

export interface DueSubject {
  /** The payment's id, the store's number of the order, or Tillgate's of the refund. */
  subject: string;
  storeOrderId: number;
}

/** Something that is due and was taken. */
export interface DueItem extends DueSubject {
  /** Which taking of it this is: only the newest may settle it. */
  lease: number;
  /** In a row so far. */
  failures: number;
}

/** What is to be done at a time, each in its order of becoming due. */
export interface Due {
  /** Makes these due in so many milliseconds, or earlier. Durable when this returns. */
  ask(storeId: string, kind: DueKind, subjects: readonly DueSubject[], inMs: number): Promise<void>;
  /** Takes what is due; each is due again after `leaseMs` whatever happens. */
  take(storeId: string, kind: DueKind, limit: number, leaseMs: number): Promise<DueItem[]>;
  /** Ends it; where it was asked for again meanwhile it stays for that. */
  done(storeId: string, kind: DueKind, item: DueItem): Promise<void>;
  /** Makes it due again. @param failures in a row with this one */
  again(storeId: string, kind: DueKind, item: DueItem, inMs: number, failures: number): Promise<void>;
  /** How many are due. */
  count(storeId: string, kind: DueKind): Promise<number>;
}

export type CursorName = "changes" | "refunds";

export interface Cursors {
  read(storeId: string, name: CursorName): Promise<string | null>;
  write(storeId: string, name: CursorName, value: string): Promise<void>;
}

export interface Report {
  name: string;
  value: string;
  reportedAt: Date;
  /** How long ago by the database's own clock, in milliseconds. */
  ageMs: number;
}

export interface Problem {
  kind: string;
  /** What it is about, so that the same problem is one entry. */
  subject: string;
  storeOrderId: number | null;
  /** For a person; holds no secret. */
  text: string;
}

export interface KnownProblem extends Problem {
  times: number;
  firstAt: Date;
  lastAt: Date;
}

export interface HealthRecords {
  /** Remembers the newest word under a name. */
  report(storeId: string, name: string, value: string): Promise<void>;
  reports(storeId: string): Promise<Report[]>;
  /** Adds a problem, or counts it once more. */
  raise(storeId: string, problem: Problem): Promise<void>;
  settle(storeId: string, kind: string, subject: string): Promise<void>;
  /** The newest first. */
  problems(storeId: string, limit: number): Promise<KnownProblem[]>;
  /** @returns how many there are of each kind */
  countProblems(storeId: string): Promise<Map<string, number>>;
  prune(storeId: string, olderThanMs: number): Promise<void>;
}

/** How often somebody asked, over all processes. */
export interface Requests {
  /**
   * Counts one more under a name; the first one begins a window.
   * @returns how many there are in the window, and how much of it is left
   */
  count(name: string, windowMs: number): Promise<{ count: number; leftMs: number }>;
  /** Removes windows that are over. */
  prune(): Promise<void>;
}

export interface Records {
  claims: Claims;
  payments: Payments;
  events: Events;
  followedRefunds: FollowedRefunds;
  outgoingRefunds: OutgoingRefunds;
  due: Due;
  cursors: Cursors;
  health: HealthRecords;
  requests: Requests;
}

/** Records with the database behind them. */
export interface OpenRecords extends Records {
  /** @throws the database's own error where it can not be asked */
  ready(): Promise<void>;
  close(): Promise<void>;
}
