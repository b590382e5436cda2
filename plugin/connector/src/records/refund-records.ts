/** What must be remembered of refunds, from either side. */

export interface FollowedRefund {
  refundId: string;
  storeOrderId: number;
  amountMinor: bigint;
  currency: string;
}

export type RefundEnd = "recorded" | "failed" | "open";

/** Tillgate's refunds of this store's payments, whoever made them, until their end is in the store. */
export interface FollowedRefunds {
  /** Stores that this refund is followed. @returns the store's record of it where that is known already */
  begin(storeId: string, refund: FollowedRefund): Promise<{ recordId: number | null; recorded: boolean }>;
  /** Its money was moved, and the store shows it. @param recordId null where the store can not have a record of it */
  recorded(storeId: string, refundId: string, recordId: number | null): Promise<void>;
  failed(storeId: string, refundId: string): Promise<void>;
  /** Whether any refund of this order is known. */
  areAnyOf(storeId: string, storeOrderId: number): Promise<boolean>;
  /** The store's records that are of these refunds. */
  recordsOf(storeId: string, storeOrderId: number): Promise<number[]>;
  /** What is known of these; one that is not known is left out. */
  ends(storeId: string, refundIds: string[]): Promise<Map<string, RefundEnd>>;
}

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
export interface NewOutgoingRefund {
  recordId: number;
  storeOrderId: number;
  tillgateOrderId: string;
  trxId: string;
  idempotencyKey: string;
  reference: string;
  reason: string;
  amountMinor: bigint;
  currency: string;
}

export interface OutgoingRefund extends NewOutgoingRefund {
  state: OutgoingRefundState;
  /** Tillgate's number; null while it is not known. */
  refundId: string | null;
  deleted: boolean;
  /** How long ago its row was made by the database's own clock, in milliseconds. */
  ageMs: number;
}

/** Refunds that were made in the store and go out to Tillgate. */
export interface OutgoingRefunds {
  /** In the order of the store's records. */
  ofOrder(storeId: string, storeOrderId: number): Promise<OutgoingRefund[]>;
  /** @throws the database's error where the key is another refund's already */
  begin(storeId: string, refund: NewOutgoingRefund): Promise<OutgoingRefund>;
  /** Stores a refund that is never sent: its money was moved by an earlier row, or it is to move none. */
  notSent(
    storeId: string,
    refund: NewOutgoingRefund,
    why: { state: "repeated"; refundId: string } | { state: "ignored"; refundId: null },
  ): Promise<void>;
  /** Continues a refund whose outcome is not known and that the store deleted as the one that was made in its place. */
  continueAs(storeId: string, deletedId: number, recordId: number): Promise<OutgoingRefund>;
  /** The end, or the step, that Tillgate told of. An end stays. */
  answered(
    storeId: string,
    recordId: number,
    state: Exclude<OutgoingRefundState, "calling" | "repeated" | "ignored">,
    refundId: string | null,
  ): Promise<void>;
  /** The refund of this order that Tillgate tells of, by its number, or by its reference while the number is not known. */
  find(
    storeId: string,
    storeOrderId: number,
    refund: { refundId: string; reference: string | null },
  ): Promise<OutgoingRefund | null>;
  deleted(storeId: string, recordId: number): Promise<void>;
}
