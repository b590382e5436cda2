import type { BATCH_RESULT_COLUMNS, ConsoleBatch, ConsoleBatchLine } from "@tillgate/contract";
import { formatDecimal } from "@tillgate/money";
import type { Context } from "../../context.js";
import type { Batch, BatchLine, BatchTotal } from "../../operations/payout-batches/view-batch.js";
import { currencyOf } from "../../readers/currencies.js";
import { wireTime } from "../shared/wire-time.js";
import type { Cell } from "./csv.js";
import { maskContact, shapeMoney } from "./money.js";

export const shapeBatch = (batch: Batch): ConsoleBatch => ({
  batch_id: batch.id,
  name: batch.name,
  state: batch.state,
  created_by: batch.createdBy,
  created_at: wireTime(batch.createdAt),
  confirmed_by: batch.confirmedBy,
  confirmed_at: batch.confirmedAt && wireTime(batch.confirmedAt),
  lines: batch.lines,
});

export const shapeTotal = async (context: Context, { currency, lines, amount, fee, wallet }: BatchTotal) => ({
  lines,
  money: await shapeMoney(context, amount, currency),
  fee: await shapeMoney(context, fee, currency),
  total: await shapeMoney(context, amount + fee, currency),
  wallet: wallet === null ? null : await shapeMoney(context, wallet, currency),
  enough: wallet !== null && wallet >= amount + fee,
});

/** E-mail or phone, masked as everywhere. */
function maskRecipient(recipient: string): string {
  const isEmail = recipient.includes("@");
  const contact = { email: isEmail ? recipient : null, phone: isEmail ? null : recipient };
  const { email, phone } = maskContact({ name: "", ...contact });
  return email ?? phone ?? "";
}

export async function shapeLine(context: Context, line: BatchLine): Promise<ConsoleBatchLine> {
  const money = (minor: bigint | null, code: string) =>
    minor === null ? null : shapeMoney(context, minor, code);
  return {
    line: line.number,
    id: line.reference,
    state: line.state,
    recipient: maskRecipient(line.recipient),
    recipient_name: line.recipientName,
    money: await shapeMoney(context, line.amount, line.senderCurrency),
    fee: await money(line.fee, line.senderCurrency),
    received: await money(line.receiverAmount, line.receiverCurrency),
    description: line.description,
    failure: line.failure,
    payout_id: line.payoutId,
    same_as:
      line.sameBatch === null || line.sameName === null || line.sameLine === null
        ? null
        : { batch_id: line.sameBatch, name: line.sameName, line: line.sameLine },
  };
}

/** A row of the result. */
export async function resultRow(
  context: Context,
  line: BatchLine,
): Promise<Record<(typeof BATCH_RESULT_COLUMNS)[number], Cell>> {
  const decimal = async (minor: bigint | null, code: string): Promise<Cell> =>
    minor === null ? null : formatDecimal(minor, (await currencyOf(context, code)).digits);
  return {
    line: String(line.number),
    id: line.reference,
    recipient: maskRecipient(line.recipient),
    amount: await decimal(line.amount, line.senderCurrency),
    currency: line.senderCurrency,
    receiver_currency: line.receiverCurrency,
    description: line.description,
    status: line.state,
    reason: line.failure,
    fee: await decimal(line.fee, line.senderCurrency),
    received_amount: await decimal(line.receiverAmount, line.receiverCurrency),
    payout_id: line.payoutId,
    trx_id: line.trxId,
  };
}
