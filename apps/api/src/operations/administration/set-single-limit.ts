import { randomUUID } from "node:crypto";
import { ledger } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { Change } from "./administrator.js";
import { callForAdministrator } from "./call-ledger.js";
import { type Money, readMinorOrZero, requireCurrency } from "./money.js";

export type SingleLimitResult = {
  /** `requested`: raising it needs a second administrator. */
  outcome: "set" | "requested";
  /** Of the request. */
  id: string | null;
  limit: Money;
};

/**
 * Sets the largest live movement that one administrator may make alone in a currency. Lowering takes effect at once.
 * Raising is a request that a second administrator decides.
 * @throws OperationError NotFound, InvalidValue, AlreadyExists (another raise waits).
 */
export async function setSingleLimit(
  context: Context,
  input: Change & { currency: string; amount: string },
): Promise<SingleLimitResult> {
  const currency = await requireCurrency(context, input.currency);
  const minor = readMinorOrZero(input.amount, currency, "The limit");
  const { outcome, id } = await callForAdministrator(context, input, ledger.setSingleLimit, () => ({
    currency: currency.code,
    limit: minor,
    requestId: randomUUID(),
    administratorId: input.administrator.id,
  }));
  return { outcome, id, limit: { minor, currency } };
}
