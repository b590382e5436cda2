import { type PayoutModel, Prisma } from "@tillgate/database";

/** A row of `payouts` as the SQL functions answer it. */
export type PayoutRow = {
  id: string;
  mode: PayoutModel["mode"];
  merchant_id: string;
  reference: string;
  quote_id: string | null;
  wallet_user_id: string;
  recipient_account_id: string;
  amount: bigint;
  sender_currency: string;
  fee: bigint;
  rate: string;
  receiver_amount: bigint;
  receiver_currency: string;
  status: PayoutModel["status"];
  description: string | null;
  trx_id: string | null;
  transfer_id: string | null;
  hold_transfer_id: string | null;
  created_at: Date;
  processed_at: Date | null;
  metadata: string | null;
};

/** The same payout as Prisma reads it. */
export const payoutFromRow = (row: PayoutRow): PayoutModel => ({
  id: row.id,
  mode: row.mode,
  merchantId: row.merchant_id,
  reference: row.reference,
  quoteId: row.quote_id,
  walletUserId: row.wallet_user_id,
  recipientAccountId: row.recipient_account_id,
  amount: row.amount,
  senderCurrency: row.sender_currency,
  fee: row.fee,
  rate: new Prisma.Decimal(row.rate),
  receiverAmount: row.receiver_amount,
  receiverCurrency: row.receiver_currency,
  status: row.status,
  description: row.description,
  trxId: row.trx_id,
  transferId: row.transfer_id,
  holdTransferId: row.hold_transfer_id,
  createdAt: row.created_at,
  processedAt: row.processed_at,
  metadata: row.metadata,
});
