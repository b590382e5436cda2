import type { CurrencyModel } from "@tillgate/database";
import { findCurrency as findIsoCurrency } from "@tillgate/money";
import type { Context } from "../../context.js";
import { invalidValue } from "../../operation-error.js";
import type { Change } from "./administrator.js";
import { change, recordChange } from "./change.js";
import { refuseDuplicate } from "./conflicts.js";

/** The house accounts that a currency needs in each mode. */
const HOUSE = {
  sandbox: ["fees", "fx", "funding", "issuing"],
  live: ["fees", "fx", "funding"],
} as const;
const MAX_DIGITS = 4;
const MAX_SYMBOL_LENGTH = 10;

export type NewCurrency = Change & {
  code: string;
  name: string;
  /** Left out for ISO 4217 codes, whose digits are ISO's. */
  digits?: number | undefined;
  /** Default: the usual symbol of an ISO code, else the code. */
  symbol?: string | undefined;
  type?: "fiat" | "crypto" | undefined;
};

/**
 * Adds a currency, active, with its house accounts in both modes.
 * @throws OperationError InvalidValue (code, digits other than ISO's), AlreadyExists.
 */
export async function addCurrency(context: Context, input: NewCurrency): Promise<CurrencyModel> {
  const { code, name } = input;
  const iso = findIsoCurrency(code);
  const digits = input.digits ?? iso?.digits;
  if (!/^[A-Z0-9]{2,10}$/.test(code)) throw invalidValue("A currency code has 2 to 10 capitals and digits.");
  if (digits === undefined) throw invalidValue(`${code} is not in ISO 4217: say its digits.`);
  if (iso && digits !== iso.digits) throw invalidValue(`${code} has ${iso.digits} digits by ISO 4217.`);
  if (!Number.isInteger(digits) || digits < 0 || digits > MAX_DIGITS)
    throw invalidValue(`Digits are a whole number from 0 to ${MAX_DIGITS}.`);
  const symbol = input.symbol ?? iso?.symbol ?? code;
  if (name.trim() === "" || symbol.trim() === "" || symbol.length > MAX_SYMBOL_LENGTH)
    throw invalidValue(`A currency has a name, and a symbol of 1 to ${MAX_SYMBOL_LENGTH} characters.`);
  const type = input.type ?? "fiat";
  return refuseDuplicate(`There is a currency ${code} already.`, () =>
    change(context, input, async (tx) => {
      const made = await tx.currency.create({ data: { code, name, symbol, digits, type } });
      for (const mode of ["sandbox", "live"] as const)
        await tx.account.createMany({ data: HOUSE[mode].map((kind) => ({ mode, currency: code, kind })) });
      await recordChange(tx, {
        administrator: input.administrator,
        merchantId: null,
        action: "currency.add",
        subject: code,
        details: { name, symbol, digits, type },
      });
      return made;
    }),
  );
}
