import type { ConsoleMoney } from "@tillgate/contract";
import { formatDecimal } from "@tillgate/money";
import type { Money } from "../../../operations/administration/money.js";

/** An amount of administration as the console gets it. */
export const shapeMoneyOf = ({ minor, currency }: Money): ConsoleMoney => ({
  amount: formatDecimal(minor, currency.digits),
  currency: currency.code,
});

export const shapeMoneyOrNone = (money: Money | null): ConsoleMoney | null => money && shapeMoneyOf(money);
