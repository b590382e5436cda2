import type { ConsoleMoney } from "@tillgate/contract";
import { formatDecimal } from "@tillgate/money";
import type { Context } from "../../context.js";
import { currencyOf } from "../../readers/currencies.js";

/** An amount of minor units as the console gets it: exact, with the currency's digits. */
export async function shapeMoney(context: Context, minor: bigint, code: string): Promise<ConsoleMoney> {
  const { digits } = await currencyOf(context, code);
  return { amount: formatDecimal(minor, digits), currency: code };
}
