import type { OrderModel, RefundModel } from "@tillgate/database";

/** A row of `orders` as the SQL functions answer it. */
export type OrderRow = {
  id: string;
  mode: OrderModel["mode"];
  merchant_id: string;
  credential_id: string;
  token: string;
  amount: bigint;
  currency: string;
  payment_method: OrderModel["paymentMethod"];
  status: OrderModel["status"];
  state: OrderModel["state"];
  reference: string | null;
  description: string | null;
  terminal_id: string | null;
  order_number: string | null;
  custom: string | null;
  callback_url: string | null;
  return_url: string | null;
  cancel_url: string | null;
  expires_at: Date;
  created_at: Date;
  paid_at: Date | null;
  trx_id: string | null;
  transfer_id: string | null;
  payer_account_id: string | null;
  refunded: bigint;
  refund_pending: bigint;
  version: number;
  payer_currency: string | null;
  payer_amount: bigint | null;
  quote_id: string | null;
  metadata: string | null;
  locale: string | null;
};

/** The same order as Prisma reads it, so that the code knows one shape. */
export const orderFromRow = (row: OrderRow): OrderModel => ({
  id: row.id,
  mode: row.mode,
  merchantId: row.merchant_id,
  credentialId: row.credential_id,
  token: row.token,
  amount: row.amount,
  currency: row.currency,
  paymentMethod: row.payment_method,
  status: row.status,
  state: row.state,
  reference: row.reference,
  description: row.description,
  terminalId: row.terminal_id,
  orderNumber: row.order_number,
  custom: row.custom,
  callbackUrl: row.callback_url,
  returnUrl: row.return_url,
  cancelUrl: row.cancel_url,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
  paidAt: row.paid_at,
  trxId: row.trx_id,
  transferId: row.transfer_id,
  payerAccountId: row.payer_account_id,
  refunded: row.refunded,
  refundPending: row.refund_pending,
  version: row.version,
  payerCurrency: row.payer_currency,
  payerAmount: row.payer_amount,
  quoteId: row.quote_id,
  metadata: row.metadata,
  locale: row.locale,
});

/** A row of `refunds` as the SQL functions answer it. */
export type RefundRow = {
  id: string;
  mode: RefundModel["mode"];
  merchant_id: string;
  order_id: string;
  amount: bigint;
  currency: string;
  status: RefundModel["status"];
  reason: string | null;
  reference: string | null;
  transfer_id: string | null;
  hold_transfer_id: string | null;
  created_at: Date;
  settled_at: Date | null;
  payer_amount: bigint | null;
  metadata: string | null;
};

/** The same refund as Prisma reads it. */
export const refundFromRow = (row: RefundRow): RefundModel => ({
  id: row.id,
  mode: row.mode,
  merchantId: row.merchant_id,
  orderId: row.order_id,
  amount: row.amount,
  currency: row.currency,
  status: row.status,
  reason: row.reason,
  reference: row.reference,
  transferId: row.transfer_id,
  holdTransferId: row.hold_transfer_id,
  createdAt: row.created_at,
  settledAt: row.settled_at,
  payerAmount: row.payer_amount,
  metadata: row.metadata,
});
