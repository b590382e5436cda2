import { FieldRule } from "../errors/index.js";
import { wrongField } from "./errors.js";
import { example, type Operation, pathParameter, successExample } from "./operation.js";

export const COMPARISON_OPERATIONS: Operation[] = [
  {
    id: "compareOrders",
    method: "put",
    path: "/comparisons/{day}",
    tag: "Comparisons",
    summary: "Compare a shop's orders",
    description:
      "Compares up to 10,000 orders of a shop with Tillgate, in a body of up to 8 MiB, and returns what differs and what to do about it. It moves no money and changes no order. The header `Tillgate-Site` identifies the shop; without it, the API key does. The console shows the shop's differences under *Reports* until a later comparison no longer finds them. A run over many orders takes several calls with `progress`: a call whose totals count only its own orders starts a new run, and `completed` ends it and removes the earlier differences that the run didn't find again, except those of skipped orders. Differences that someone marked as correct in the shop are sent as `accepted`: the console no longer shows them until they change. Calls can be repeated. Without `progress`, only the differences of these orders are replaced. Unknown fields are rejected: send no customer data.",
    parameters: [
      pathParameter("day", "The UTC day on which the shop started the run, as `YYYY-MM-DD`.", "2026-11-21"),
    ],
    request: {
      schema: "ComparisonRequest",
      examples: example("run", "A paid order that is still pending in the shop", {
        orders: [
          {
            order_id: "POS-20261121-7KQ2MX",
            order_number: "1001",
            order_url: "https://shop.example/wp-admin/post.php?post=1001&action=edit",
            current: true,
            recorded: "PENDING",
            amount: "41.50",
            currency: "EUR",
            other_trx_ids: [],
            shop_order: {
              status: "pending",
              counts_as: "pending",
              total: "41.50",
              currency: "EUR",
              pays_with_tillgate: true,
              trx_id: null,
              changed_seconds_ago: 86400,
              refunds: [],
            },
            recorded_refund_ids: [],
          },
        ],
        skipped_orders: [],
        progress: { compared: 1, skipped: 0, completed: true },
      }),
    },
    response: {
      schema: "ComparisonResponse",
      description: "The orders with differences.",
      examples: successExample("differences", "A payment that the shop has missed", "Orders compared", {
        orders: [
          {
            order_id: "POS-20261121-7KQ2MX",
            differences: [
              {
                subject: "order",
                subject_id: "POS-20261121-7KQ2MX",
                field: "state",
                kind: "paid_shop_unpaid",
                repair: "apply_order",
                text: "41.50 EUR was paid in Tillgate (transaction TRX-482910375566), but the order’s status in the shop is “Pending payment”.",
                advice: "Complete the order manually, or refund the payment in Tillgate.",
                values: { amount: "41.50 EUR", trx_id: "TRX-482910375566", status: "pending" },
                accepted: false,
              },
            ],
          },
        ],
      }),
    },
    errors: [
      wrongField("orders", FieldRule.Required),
      wrongField("orders", FieldRule.NotRepeated),
      wrongField("orders", FieldRule.FewRefunds),
      wrongField("progress.compared", FieldRule.NoLess),
      wrongField("email", FieldRule.Unknown),
      wrongField("day", FieldRule.RealDay),
      wrongField("day", FieldRule.NotOlderRun),
      wrongField("day", FieldRule.NotAfterTomorrow),
    ],
  },
];
