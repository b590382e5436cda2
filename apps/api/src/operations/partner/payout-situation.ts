import type { Mode } from "@tillgate/contract";
import type { AccountModel, PayoutTermsModel, WalletUserModel } from "@tillgate/database";
import { type Currency, rateAfterSpread } from "@tillgate/money";
import type { Context } from "../../context.js";
import type { Partner } from "./authenticate-partner.js";

/** All that the decision on a payout or quote needs, read at one time. */
export type PayoutSituation = {
  /** Null: no such wallet. */
  merchantWallet: Pick<AccountModel, "id" | "balance"> | null;
  /** Null: no such currency, or it is inactive. */
  receiverCurrency: Currency | null;
  senderCurrency: Currency | null;
  recipientWallet: Pick<AccountModel, "id"> | null;
  /** Null: not authorised. */
  terms: PayoutTermsModel | null;
  fee: { fixed: bigint; percent: string };
  /** Sender to receiver after the spread; null: no rate is in effect. */
  rate: string | null;
};

const NO_FEE = { fixed: 0n, percent: "0" };

/** Reads wallets, terms, fee and rate of a payout from one currency to another. */
export async function readPayoutSituation(
  { database: { prisma } }: Context,
  partner: Partner,
  recipient: Pick<WalletUserModel, "id">,
  { sender, receiver }: { sender: string; receiver: string },
): Promise<PayoutSituation> {
  const { merchantId, mode } = partner;
  const [merchantWallet, recipientWallet, currencies, terms, fees, rate] = await Promise.all([
    prisma.account.findFirst({
      where: { merchantId, mode, currency: sender, kind: "merchant", closedAt: null },
      select: { id: true, balance: true },
    }),
    prisma.account.findFirst({
      where: { walletUserId: recipient.id, mode, currency: receiver, kind: "shopper", closedAt: null },
      select: { id: true },
    }),
    prisma.currency.findMany({
      where: { code: { in: [sender, receiver] }, active: true },
      select: { code: true, digits: true },
    }),
    prisma.payoutTerms.findUnique({
      where: { merchantId_mode_currency: { merchantId, mode, currency: sender } },
    }),
    prisma.feeSchedule.findMany({
      where: { mode, currency: sender, OR: [{ merchantId }, { merchantId: null }] },
    }),
    sender === receiver ? "1" : findRate(prisma, mode, sender, receiver),
  ]);
  const fee = fees.find((schedule) => schedule.merchantId === merchantId) ?? fees[0];
  return {
    merchantWallet,
    recipientWallet,
    senderCurrency: currencies.find(({ code }) => code === sender) ?? null,
    receiverCurrency: currencies.find(({ code }) => code === receiver) ?? null,
    terms: terms?.authorized ? terms : null,
    fee: fee ? { fixed: fee.fixed, percent: fee.percent.toFixed() } : NO_FEE,
    rate,
  };
}

/** The newest rate that is in effect by the database's clock, after its spread. */
async function findRate(
  prisma: Context["database"]["prisma"],
  mode: Mode,
  base: string,
  quote: string,
): Promise<string | null> {
  const [found] = await prisma.$queryRaw<{ rate: string; spread: string }[]>`
    SELECT rate::text AS rate, spread_percent::text AS spread FROM exchange_rates
    WHERE mode = ${mode}::mode AND base = ${base} AND quote = ${quote} AND effective_from <= clock_timestamp()
    ORDER BY effective_from DESC, created_at DESC LIMIT 1`;
  return found ? rateAfterSpread(found.rate, found.spread) : null;
}
