/**
 * What the connector must remember over a crash, as ports: PostgreSQL or a SQLite file behind them. Whatever stands behind
 * must be durable and shared by all processes of one connector; memory is not. Times are the database's own.
 */

import type { RecordedRefunds, ShopRefunds } from "./refund-records.js";

export type * from "./refund-records.js";

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

/** A client of Tillgate, without its secret. */
export interface Credential {
  mode: "sandbox" | "live";
  clientId: string;
}

/** A try to have a store order paid, before Tillgate's answer is known. */
interface AttemptCore {
  id: bigint;
  storeOrderId: number;
  request: AttemptRequest;
  amountMinor: bigint;
  currency: string;
  /** What it was begun with; null for one from before that was kept. */
  credential: Credential | null;
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
  credential: Credential;
  /** When the sweep first looks at it, in milliseconds from now. */
  checkInMs: number;
}

export interface Attempts {
  current(storeId: string, storeOrderId: number): Promise<Attempt | null>;
  byTillgateOrder(storeId: string, tillgateOrderId: string): Promise<KnownAttempt | null>;
  byId(id: bigint): Promise<Attempt | null>;
  /** The attempts that these transactions paid. */
  byTransactions(storeId: string, trxIds: string[]): Promise<KnownAttempt[]>;
  /** Which of these store orders have any attempt. */
  knownOrders(storeId: string, storeOrderIds: number[]): Promise<number[]>;
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

/** A store order that is to be looked at. */
export interface Hint {
  storeOrderId: number;
  /** Which taking of it this is: only the newest may end it. */
  version: bigint;
  failures: number;
}

export interface Hints {
  /** Asks for a look at these orders, in so many milliseconds or earlier. Durable when this returns. */
  put(storeId: string, storeOrderIds: number[], inMs: number): Promise<void>;
  /** Takes orders that are due; each is due again after `leaseMs` whatever happens. */
  takeDue(storeId: string, limit: number, leaseMs: number): Promise<Hint[]>;
  /** Removes it; where the order was asked for again meanwhile it stays for that. */
  done(storeId: string, hint: Hint): Promise<void>;
  failed(storeId: string, hint: Hint, nextInMs: number): Promise<void>;
  /** How many are due. */
  count(storeId: string): Promise<number>;
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
  attempts: Attempts;
  events: Events;
  refunds: RecordedRefunds;
  shopRefunds: ShopRefunds;
  hints: Hints;
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
