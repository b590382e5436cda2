import type { Payout } from "@tillgate/contract";
import type { PayoutModel } from "@tillgate/database";
import { type Currency, toWireNumber } from "@tillgate/money";
import { metadataOf } from "../../readers/metadata.js";
import { wireTime } from "./wire-time.js";

/** A payout as the APIs show it. */
export const shapePayout = (payout: PayoutModel, sender: Currency, receiver: Currency): Payout => ({
  payout_id: payout.id,
  reference: payout.reference,
  amount: toWireNumber(payout.amount, sender.digits),
  currency: payout.senderCurrency,
  fee: toWireNumber(payout.fee, sender.digits),
  total_deducted: toWireNumber(payout.amount + payout.fee, sender.digits),
  exchange_rate: payout.rate.toNumber(),
  receiver_amount: toWireNumber(payout.receiverAmount, receiver.digits),
  receiver_currency: payout.receiverCurrency,
  status: payout.status,
  description: payout.description,
  metadata: metadataOf(payout),
  trx_id: payout.trxId,
  created_at: wireTime(payout.createdAt),
  processed_at: payout.processedAt && wireTime(payout.processedAt),
});
