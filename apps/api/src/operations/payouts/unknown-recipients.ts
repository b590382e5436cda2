import { Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { OperationError } from "../../operation-error.js";

const keyOf = ({ merchantId, mode }: MerchantScope): string => `${mode} ${merchantId}`;

/**
 * Lookups reveal names, so a merchant may ask for few recipients that do not exist: one budget over lookups, quotes and bulk
 * payouts. When it is used up, recipients that do exist are not revealed either.
 * @throws OperationError TooManyUnknownRecipients
 */
export async function requireLookupBudget(
  { config, memory }: Context,
  merchant: MerchantScope,
): Promise<void> {
  const counted = await memory.unknownRecipients.get(keyOf(merchant));
  if (counted && counted.consumedPoints >= config.unknownRecipientsADay)
    throw new OperationError(Refusal.TooManyUnknownRecipients, {
      retryAfterSeconds: Math.ceil(counted.msBeforeNext / 1000),
    });
}

export async function countUnknownRecipient({ memory }: Context, merchant: MerchantScope): Promise<void> {
  await memory.unknownRecipients.penalty(keyOf(merchant));
}
