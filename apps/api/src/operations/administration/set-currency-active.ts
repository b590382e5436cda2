import type { CurrencyModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { Change } from "./administrator.js";
import { change, recordChange } from "./change.js";
import { requireCurrency } from "./money.js";

/**
 * Activates or deactivates a currency. An inactive one is not offered and not paid out; wallets keep their money.
 * @returns the currency, and whether that changed anything.
 * @throws OperationError NotFound.
 */
export async function setCurrencyActive(
  context: Context,
  input: Change & { currency: string; active: boolean },
): Promise<{ currency: CurrencyModel; changed: boolean }> {
  const { code } = await requireCurrency(context, input.currency);
  const { active } = input;
  return change(context, input, async (tx) => {
    const { count } = await tx.currency.updateMany({
      where: { code, active: !active },
      data: { active },
    });
    if (count === 1)
      await recordChange(tx, {
        administrator: input.administrator,
        merchantId: null,
        action: active ? "currency.activate" : "currency.deactivate",
        subject: code,
      });
    return { currency: await tx.currency.findUniqueOrThrow({ where: { code } }), changed: count === 1 };
  });
}
