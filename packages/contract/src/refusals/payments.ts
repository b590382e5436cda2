import { refusals } from "./refusal.js";

/** Refusals of the Pay API's rules. Another merchant's order or refund is answered like one that does not exist. */
export const PAYMENT_REFUSALS = refusals({
  OrderNotFound: {
    code: "order_not_found",
    status: 404,
    text: "Order not found",
    cause: "No order or payment of this account and mode has this id or token.",
    reason: "not_found",
  },
  RefundNotFound: {
    code: "refund_not_found",
    status: 404,
    text: "Refund not found",
    cause: "No refund of this account and mode has this id.",
  },
  TransactionNotFound: {
    code: "transaction_not_found",
    status: 404,
    text: "Transaction not found",
    cause: "No payment of this account and mode has this transaction id, or it was never paid.",
    param: "transaction_id",
  },
  OnlyPendingCanBeCancelled: {
    code: "only_pending_can_be_cancelled",
    status: 422,
    text: "Only pending orders can be cancelled",
    cause: "It was paid, cancelled or has expired.",
  },
  RefundExceedsPayment: {
    code: "refund_exceeds_payment",
    status: 422,
    text: "Refund exceeds original amount",
    cause: "More than what is left, or nothing is left.",
    param: "amount",
  },
  /** The wallet that pays holds too little: the merchant's for a refund or payout, the shopper's on the page. */
  InsufficientBalance: {
    code: "insufficient_balance",
    status: { pay: 422, partner: 400, checkout: 422, console: 422 },
    text: "Insufficient balance.",
    cause: {
      pay: "The merchant wallet holds less than the amount; of an order that is simulated: the shopper was ordered to have too little.",
      partner: "The merchant wallet holds less than total_deducted.",
    },
    reason: "insufficient_balance",
  },
  TransactionNotRefundable: {
    code: "transaction_not_refundable",
    status: 422,
    text: "Transaction not refundable",
    cause: "The payer's wallet was closed.",
  },
  IdempotencyKeyReused: {
    code: "idempotency_key_reused",
    status: 409,
    text: "The idempotency key was already used for a request with other fields",
    cause: "The same idempotency key with another request.",
    param: "idempotency_key",
  },
});
