import { ErrorCode, FieldRule, misspeltRule, oneOfRule } from "../errors/index.js";
import { refundStatusSchema } from "../public/refunds.js";
import { type JsonObject, reference } from "./describe-schema.js";
import { wrongField } from "./errors.js";
import { type Operation, pathParameter, queryParameter, succeeded, successExample } from "./operation.js";
import { PAGE_ERRORS, PAGE_PARAMETERS } from "./orders.js";

const TAG = "Refunds";

const REFUND: JsonObject = {
  refund_id: "RF-20261121-3HV9PA",
  transaction_id: "TRX-482913750264",
  amount: "10.00 EUR",
  raw_amount: 10,
  currency: "EUR",
  status: "completed",
  reason: "One coffee was cold",
  reference: "till-3/1001/r1",
  metadata: null,
  created_at: "2026-11-21T10:02:41+00:00",
};

export const REFUND_OPERATIONS: Operation[] = [
  {
    id: "createRefund",
    method: "post",
    path: "/refunds",
    tag: TAG,
    summary: "Refund a payment",
    description:
      "Debits the merchant wallet and credits the payer's wallet in one transaction. A payment can be refunded in several parts, up to its amount. If the account's refunds require approval, the refund is `pending`, with its amount held, until the operator approves or rejects it.",
    request: {
      schema: "CreateRefundRequest",
      examples: {
        part: {
          summary: "A partial refund",
          value: {
            transaction_id: "TRX-482913750264",
            amount: 10,
            reason: "One coffee was cold",
            reference: "till-3/1001/r1",
            idempotency_key: "till-3/1001/r1",
          },
        },
        rest: {
          summary: "The full remainder",
          value: { transaction_id: "TRX-482913750264" },
        },
      },
    },
    response: {
      schema: "RefundResponse",
      description: "The refund.",
      examples: {
        completed: {
          summary: "Completed, now or by an earlier request with the same idempotency key",
          value: succeeded("Refund created successfully", REFUND),
        },
        pending: {
          summary: "Pending approval",
          value: succeeded("Refund created successfully", { ...REFUND, status: "pending" }),
        },
      },
    },
    replays: true,
    errors: [
      wrongField("transaction_id", FieldRule.Required),
      wrongField("amount", FieldRule.AboveZero),
      wrongField("amout", misspeltRule("amount")),
      ErrorCode.TransactionNotFound,
      ErrorCode.RefundExceedsPayment,
      ErrorCode.InsufficientBalance,
      ErrorCode.TransactionNotRefundable,
      ErrorCode.IdempotencyKeyReused,
    ],
  },
  {
    id: "listRefunds",
    method: "get",
    path: "/refunds",
    tag: TAG,
    summary: "List refunds",
    description: "Returns refunds, newest first, in an order that is stable across pages.",
    parameters: [
      queryParameter("transaction_id", "Only refunds of this payment.", {
        type: "string",
        maxLength: 64,
      }),
      queryParameter(
        "status",
        "Only refunds with this current status.",
        reference("schemas", "RefundStatus"),
      ),
      ...PAGE_PARAMETERS,
    ],
    response: {
      schema: "RefundListResponse",
      description: "A page of refunds.",
      examples: successExample("page", "One refund", "Refunds retrieved", {
        refunds: [REFUND],
        pagination: { current_page: 1, per_page: 20, total: 1, last_page: 1 },
        next_cursor: null,
      }),
    },
    errors: [wrongField("status", oneOfRule(refundStatusSchema.options)), ...PAGE_ERRORS],
  },
  {
    id: "getRefund",
    method: "get",
    path: "/refunds/{refund_id}",
    tag: TAG,
    summary: "Get a refund",
    description: "Retrieves a refund in its current state.",
    parameters: [pathParameter("refund_id", "The refund's ID.", "RF-20261121-3HV9PA")],
    response: {
      schema: "RefundResponse",
      description: "The refund.",
      examples: successExample("completed", "Completed", "Refund details retrieved", REFUND),
    },
    errors: [ErrorCode.RefundNotFound],
  },
];
