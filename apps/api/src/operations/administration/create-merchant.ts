import type { MerchantModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { invalidValue } from "../../operation-error.js";
import type { Change } from "./administrator.js";
import { change, recordChange, type Transaction } from "./change.js";

const MAX_NAME_LENGTH = 120;

/**
 * Creates a merchant, with the built-in test shopper of its sandbox. It has no wallets and no credentials yet, and the
 * Partner API is off.
 * @throws OperationError InvalidValue (name).
 */
export async function createMerchant(
  context: Context,
  input: Change & { name: string },
): Promise<MerchantModel> {
  const name = input.name.trim();
  if (name === "" || name.length > MAX_NAME_LENGTH)
    throw invalidValue(`A merchant's name has 1 to ${MAX_NAME_LENGTH} characters.`);
  return change(context, input, async (tx) => {
    const merchant = await addMerchant(tx, name);
    await recordChange(tx, {
      administrator: input.administrator,
      merchantId: merchant.id,
      action: "merchant.create",
      subject: merchant.id,
      details: { name },
    });
    return merchant;
  });
}

/** Adds a merchant inside a transaction. The caller has checked the name, and writes the record. */
export async function addMerchant(tx: Transaction, name: string): Promise<MerchantModel> {
  const merchant = await tx.merchant.create({ data: { name } });
  await tx.walletUser.create({
    data: { mode: "sandbox", name: "Test shopper", testOfMerchantId: merchant.id },
  });
  return merchant;
}
