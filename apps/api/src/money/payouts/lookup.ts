import { ErrorCode, type LookupRequest, type LookupResult } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import { findWalletUser } from "../../identity/shoppers/find.js";
import { getPayout } from "./read.js";

const merchantKey = ({ merchantId, mode }: MerchantScope): string => `${mode} ${merchantId}`;

/**
 * Rejects every lookup once the merchant has looked up too many unknown recipients, so that no further names are revealed.
 * @throws OperationError TooManyUnknownRecipients.
 */
export async function requireLookupBudget(
  { config, memory }: Context,
  merchant: MerchantScope,
): Promise<void> {
  const usage = await memory.unknownRecipients.get(merchantKey(merchant));
  if (usage && usage.consumedPoints >= config.unknownRecipientsPerDay)
    throw new OperationError(ErrorCode.TooManyUnknownRecipients, {
      retryAfterSeconds: Math.ceil(usage.msBeforeNext / 1000),
    });
}

export async function countUnknownRecipient({ memory }: Context, merchant: MerchantScope): Promise<void> {
  await memory.unknownRecipients.penalty(merchantKey(merchant));
}

/** @throws OperationError RecipientNotFound, the same for an unknown and a deactivated recipient; TooManyUnknownRecipients. */
export async function lookUpRecipient(
  context: Context,
  partner: MerchantScope,
  request: LookupRequest,
): Promise<LookupResult> {
  const by = { phone: request.phone, email: request.email };
  const [user] = await Promise.all([
    findWalletUser(context, by, partner.mode),
    requireLookupBudget(context, partner),
  ]);
  if (!user?.active) {
    await countUnknownRecipient(context, partner);
    throw new OperationError(ErrorCode.RecipientNotFound);
  }
  return issueLookupToken(context, partner, user);
}

/** Issues a lookup token for a payout's recipient. @throws OperationError PayoutNotFound; RecipientNotFound if the recipient was deactivated. */
export async function lookUpAgain(
  context: Context,
  partner: MerchantScope,
  payoutId: string,
): Promise<LookupResult> {
  const { walletUserId: id } = await getPayout(context, partner, payoutId);
  const user = await context.database.prisma.walletUser.findFirst({ where: { id, active: true } });
  if (!user) throw new OperationError(ErrorCode.RecipientNotFound);
  return issueLookupToken(context, partner, user);
}

async function issueLookupToken(
  context: Context,
  partner: MerchantScope,
  user: { id: string; name: string },
): Promise<LookupResult> {
  const [wallets, token] = await Promise.all([
    context.database.prisma.account.findMany({
      where: { walletUserId: user.id, kind: "shopper", closedAt: null, currencyRow: { active: true } },
      select: { currencyRow: { select: { code: true, symbol: true, type: true } } },
      orderBy: { currency: "asc" },
    }),
    context.database.prisma.lookupToken.create({
      data: { merchantId: partner.merchantId, mode: partner.mode, walletUserId: user.id },
      select: { id: true },
    }),
  ]);
  return {
    lookup_token: token.id,
    recipient: { name: user.name, currencies: wallets.map(({ currencyRow }) => currencyRow) },
  };
}
