import type { ConsoleMoney } from "@tillgate/contract";
import { formatDecimal } from "@tillgate/money";
import type { Context } from "../../context.js";
import { currencyOf } from "../../readers/currencies.js";
import { maskEmail, maskPhone } from "../shared/mask.js";

/** An amount of minor units as the console gets it: exact, with the currency's digits. */
export async function shapeMoney(context: Context, minor: bigint, code: string): Promise<ConsoleMoney> {
  const { digits } = await currencyOf(context, code);
  return { amount: formatDecimal(minor, digits), currency: code };
}

/** Whom a merchant sees behind a payment or payout: enough to recognise, not enough to write to. */
export const maskContact = ({
  name,
  email,
  phone,
}: {
  name: string;
  email: string | null;
  phone: string | null;
}) => ({ name, email: email && maskEmail(email), phone: phone && maskPhone(phone) });
