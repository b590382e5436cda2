/** What must be remembered of refunds, from either side. */

export interface NewRefund {
  refundId: string;
  storeOrderId: number;
  amountMinor: bigint;
  currency: string;
}

export type RefundEnd = "recorded" | "failed" | "open";

/** Tillgate's refunds of this store's payments. */
export interface RecordedRefunds {
  /** Stores that this refund is being recorded in the shop. @returns the shop's record where it is known already */
  begin(storeId: string, refund: NewRefund): Promise<{ storeRefundId: number | null; recorded: boolean }>;
  /** @param storeRefundId null where the shop can not have a record of it */
  recorded(storeId: string, refundId: string, storeRefundId: number | null): Promise<void>;
  /** Whether any refund of this order is known. */
  areAnyOf(storeId: string, storeOrderId: number): Promise<boolean>;
  /** The shop's records that were made of refunds of Tillgate, or are known to be theirs. */
  recordsOf(storeId: string, storeOrderId: number): Promise<number[]>;
  /** Remembers a refund that waits for approval, to be asked about until it has an end. */
  watch(storeId: string, refund: NewRefund, checkInMs: number): Promise<void>;
  failed(storeId: string, refundId: string): Promise<void>;
  /** Takes refunds that wait for approval and are due; the older one is, the later it is due again, `mostMs` at most. */
  takeDue(
    storeId: string,
    limit: number,
    leaseMs: number,
    mostMs: number,
  ): Promise<{ refundId: string; storeOrderId: number }[]>;
  /** What is known of these; one that is not known is left out. */
  ends(storeId: string, refundIds: string[]): Promise<Map<string, RefundEnd>>;
}

export type ShopRefundState =
  | "calling"
  | "pending"
  | "completed"
  | "failed"
  | "refused"
  | "repeated"
  | "ignored"
  | "given_up";

/** What is sent to `POST /refunds` for a refund made in the shop, kept so that a repeat is the same call. */
export interface NewShopRefund {
  storeRefundId: number;
  storeOrderId: number;
  tillgateOrderId: string;
  trxId: string;
  idempotencyKey: string;
  reference: string;
  reason: string;
  amountMinor: bigint;
  currency: string;
}

export interface ShopRefund extends NewShopRefund {
  state: ShopRefundState;
  /** Tillgate's number; null while it is not known. */
  refundId: string | null;
  deleted: boolean;
  /** How long ago its row was made by the database's own clock, in milliseconds. */
  ageMs: number;
}

/** Refunds that were made in the shop. */
export interface ShopRefunds {
  /** In the order of the shop's numbers. */
  ofOrder(storeId: string, storeOrderId: number): Promise<ShopRefund[]>;
  /** @throws the database's error where the key is another refund's already */
  begin(storeId: string, refund: NewShopRefund): Promise<ShopRefund>;
  /** Stores a refund that is never sent: its money was moved by an earlier row, or it is to move none. */
  notSent(
    storeId: string,
    refund: NewShopRefund,
    why: { state: "repeated"; refundId: string } | { state: "ignored"; refundId: null },
  ): Promise<void>;
  /** Continues a refund whose outcome is not known and that the shop deleted as the one that was made in its place. */
  continueAs(storeId: string, deletedId: number, storeRefundId: number): Promise<ShopRefund>;
  /** The end, or the step, that Tillgate told of. An end stays. */
  answered(
    storeId: string,
    storeRefundId: number,
    state: Exclude<ShopRefundState, "calling" | "repeated" | "ignored">,
    refundId: string | null,
  ): Promise<void>;
  /** The refund of this order that Tillgate tells of, by its number, or by its reference while the number is not known. */
  find(
    storeId: string,
    storeOrderId: number,
    refund: { refundId: string; reference: string | null },
  ): Promise<ShopRefund | null>;
  deleted(storeId: string, storeRefundId: number): Promise<void>;
}
