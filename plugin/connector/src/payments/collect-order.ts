import type { ComparedOrder } from "@tillgate/contract";
import type {
  FollowedRefundState,
  OutgoingRefund,
  PaymentDifferences,
  PlacedPayment,
} from "../records/records.js";
import { ruleStatus } from "../rules.js";
import type { ConnectorSettings } from "../settings.js";
import type { StoreOrder } from "../store/store-access.js";
import { decimalText } from "../store/store-amount.js";
import { withOrderClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";

type ShopOrder = NonNullable<ComparedOrder["shop_order"]>;
type ShopRefund = ShopOrder["refunds"][number];

/** WooCommerce redirects this URL as needed, so it works for both kinds of order storage. */
export const orderUrl = ({ siteUrl }: Pick<ConnectorSettings, "siteUrl">, id: number): string =>
  `${siteUrl}/wp-admin/post.php?post=${id}&action=edit`;

const RECORDED_STATUSES = {
  pending: "PENDING",
  paid: "PAID",
  expired: "EXPIRED",
  cancelled: "CANCELLED",
  refunded: "REFUNDED",
} as const satisfies Record<PlacedPayment["state"], ComparedOrder["recorded"]>;

/**
 * Reads a payment, its store order and refunds for Tillgate's comparison. The claim keeps the connector from changing the order.
 * @throws StoreError, ConnectorError `busy`, `site_moved`; Error if the payment no longer exists
 */
export async function collectOrder(
  context: ConnectorContext,
  { id, storeOrderId }: PlacedPayment,
  { accepted }: PaymentDifferences,
): Promise<ComparedOrder> {
  return withOrderClaim(context, storeOrderId, async () => {
    const { followedRefunds, payments, settings, store } = context;
    const ofOrder = await payments.ofOrder(storeOrderId);
    // Read again, because the payment may have changed before the order was claimed.
    const payment = ofOrder.find((one) => one.id === id);
    if (payment === undefined || payment.order === null) throw new Error(`Payment ${id} no longer exists.`);
    const others = ofOrder.flatMap((one) => (one.id === id || one.trxId === null ? [] : [one.trxId]));
    const followed = await followedRefunds.ofOrder(storeOrderId);
    const order = await store.order(storeOrderId);
    // Refunds are compared only for the payment whose transaction ID the store order has.
    const mayHaveRefunds =
      order !== null &&
      order.hasRefunds !== false &&
      order.transactionId !== "" &&
      !others.includes(order.transactionId);
    const refunds = mayHaveRefunds ? await collectRefunds(context, storeOrderId, followed) : [];
    return {
      order_id: payment.order.tillgateOrderId,
      order_number: order?.number ?? payment.request.reference,
      order_url: orderUrl(settings, storeOrderId),
      current: payment.isCurrent,
      recorded: RECORDED_STATUSES[payment.state],
      amount: decimalText(payment.amountMinor, payment.currency),
      currency: payment.currency,
      other_trx_ids: others,
      shop_order: order === null ? null : toShopOrder(context, order, refunds),
      recorded_refund_ids: followed.filter(({ isRecorded }) => isRecorded).map(({ refundId }) => refundId),
      // Omitted if empty, because older versions of Tillgate reject this field.
      ...(accepted.length === 0 ? {} : { accepted }),
    };
  });
}

function toShopOrder(
  { clocks, settings }: ConnectorContext,
  order: StoreOrder,
  refunds: ShopRefund[],
): ShopOrder {
  const status = ruleStatus(order);
  return {
    status: order.status,
    // The order exists, so a status named `deleted` is a custom status of the shop.
    counts_as: status === "deleted" ? "trash" : status,
    total: order.total,
    currency: order.currency,
    pays_with_tillgate: order.paymentMethod === settings.paymentMethod,
    trx_id: order.transactionId === "" ? undefined : order.transactionId,
    changed_seconds_ago:
      order.modifiedAt === null
        ? undefined
        : Math.floor((clocks.nowMs("store") - order.modifiedAt.getTime()) / 1000),
    refunds,
  };
}

async function collectRefunds(
  { outgoingRefunds, store }: ConnectorContext,
  storeOrderId: number,
  followed: readonly FollowedRefundState[],
): Promise<ShopRefund[]> {
  const sent = await outgoingRefunds.ofOrder(storeOrderId);
  return (await store.refunds(storeOrderId)).map((record) => {
    const row = sent.find(({ recordId }) => recordId === record.id);
    return {
      id: String(record.id),
      amount: record.amount,
      refund_id:
        record.tillgateRefundId ??
        row?.refundId ??
        followed.find(({ recordId }) => recordId === record.id)?.refundId ??
        undefined,
      // If a process crashed after the request, Tillgate has the refund under its reference.
      reference: row?.reference,
      mentioned_refund_id: record.refundIdInReason ?? undefined,
      sent: toSentState(row),
    };
  });
}

function toSentState(row: OutgoingRefund | undefined): ShopRefund["sent"] {
  if (row === undefined) return "no";
  switch (row.state) {
    case "given_up":
      return "unknown";
    // The money was moved by the earlier refund that this refund repeats.
    case "repeated":
      return "completed";
    default:
      return row.state;
  }
}
