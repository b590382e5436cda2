import { z } from "zod";
import type { OrderLine, RefundRecord, StoreOrder, StoreOrderChanged, StoreWebhook } from "./store-access.js";

/** WooCommerce writes times without a zone; the `_gmt` fields are UTC. */
const gmtTime = z
  .string()
  .nullable()
  .transform((text) => (text === null || text === "" ? null : new Date(`${text.replace(/Z$/, "")}Z`)))
  .refine((time) => time === null || !Number.isNaN(time.getTime()), { error: "is not a time" });

/** Custom statuses in which an order can be paid or counts as paid, in addition to WooCommerce's own. */
export type StoreStatuses = { payable: readonly string[]; paid: readonly string[] };

export const orderResponse = ({ payable, paid }: StoreStatuses) =>
  z
    .object({
      id: z.int().positive(),
      number: z.string(),
      status: z.string(),
      currency: z.string(),
      total: z.string(),
      order_key: z.string(),
      payment_method: z.string(),
      transaction_id: z.string(),
      date_modified_gmt: gmtTime.optional(),
      refunds: z.array(z.unknown()).optional(),
      /** Since WooCommerce 7.8. */
      needs_payment: z.boolean().optional(),
      line_items: z
        .array(z.object({ name: z.string().nullish(), quantity: z.number().catch(1) }))
        .default([]),
    })
    .transform((order): StoreOrder => {
      const status = order.status.replace(/^wc-/, "");
      return {
        id: order.id,
        number: order.number,
        status,
        isPayable: order.needs_payment === true || ["pending", "failed", ...payable].includes(status),
        isPaid: ["processing", "completed", ...paid].includes(status),
        currency: order.currency,
        total: order.total,
        orderKey: order.order_key,
        paymentMethod: order.payment_method,
        transactionId: order.transaction_id,
        modifiedAt: order.date_modified_gmt ?? null,
        hasRefunds: order.refunds === undefined ? null : order.refunds.length > 0,
        items: order.line_items.map(({ name, quantity }) => ({ name: name ?? "", quantity })),
      };
    });

/** Ignores all other fields, which plugins may change. */
export const orderChangeResponse = z
  .object({ id: z.int().positive(), date_modified_gmt: gmtTime })
  .transform(({ id, date_modified_gmt }): StoreOrderChanged => ({ id, modifiedAt: date_modified_gmt }));

const lines = z
  .array(
    z.object({
      id: z.int().positive(),
      quantity: z.number().catch(0),
      total: z.string(),
      taxes: z.array(z.object({ id: z.coerce.number().int(), total: z.string() })).default([]),
    }),
  )
  .default([]);

export const linesResponse = z
  .object({ line_items: lines, shipping_lines: lines, fee_lines: lines })
  .transform(({ line_items, shipping_lines, fee_lines }): OrderLine[] =>
    [...line_items, ...shipping_lines, ...fee_lines].map((line) => ({
      ...line,
      // A line that the shop added later may have no tax yet.
      taxes: line.taxes.filter(({ total }) => total !== ""),
    })),
  );

export const currencyResponse = z.object({ code: z.string() });

export const noteListResponse = z
  .array(z.object({ note: z.string() }))
  .transform((notes) => notes.map(({ note }) => note));

export const REFUND_META_KEY = "_tillgate_refund_id";

export const refundResponse = z
  .object({
    id: z.int().positive(),
    amount: z.string(),
    reason: z.string().nullish(),
    meta_data: z.array(z.object({ key: z.string(), value: z.unknown() })).default([]),
  })
  .transform((refund): RefundRecord => {
    const meta = refund.meta_data.find(({ key }) => key === REFUND_META_KEY)?.value;
    return {
      id: refund.id,
      amount: refund.amount,
      reason: refund.reason ?? "",
      tillgateRefundId: typeof meta === "string" ? meta : null,
      refundIdInReason: /\((RF-[A-Z0-9-]+)\)$/.exec(refund.reason ?? "")?.[1] ?? null,
    };
  });

export const refundListResponse = z.array(refundResponse);

export const webhookListResponse = z.array(
  z
    .object({ status: z.string(), topic: z.string(), delivery_url: z.string() })
    .transform(
      ({ status, topic, delivery_url }): StoreWebhook => ({ status, topic, deliveryUrl: delivery_url }),
    ),
);

export const errorResponse = z.object({ code: z.string(), message: z.string() });
