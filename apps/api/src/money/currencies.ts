import { FieldRule } from "@tillgate/contract";
import type { CurrencyModel } from "@tillgate/database";
import {
  AmountError,
  type Currency,
  findCurrency as findIsoCurrency,
  parseWrittenAmount,
} from "@tillgate/money";
import type { Change } from "../audit/administrator.js";
import { changeWithAudit, recordChange, rejectDuplicate } from "../audit/change.js";
import type { Context } from "../context.js";
import { invalidField, invalidValue, notFound } from "../errors.js";

/** Finds a currency. Results are cached per process, because decimal places are immutable. @returns undefined for an unknown currency. */
export async function findCurrency(context: Context, code: string): Promise<Currency | undefined> {
  const cache = context.memory.currencies;
  const cached = cache.get(code);
  if (cached) return cached;
  const row = await context.database.prisma.currency.findUnique({
    where: { code },
    select: { code: true, digits: true },
  });
  if (row) cache.set(code, row);
  return row ?? undefined;
}

/** Returns the currency of stored data. @throws Error if the currency is missing. */
export async function getCurrency(context: Context, code: string): Promise<Currency> {
  const currency = await findCurrency(context, code);
  if (!currency) throw new Error(`currency ${code} is missing`);
  return currency;
}

export type Money = { minor: bigint; currency: Currency };

/** @param code in upper case. @throws OperationError SubjectNotFound. */
export async function requireCurrency(context: Context, code: string): Promise<Currency> {
  const currency = await findCurrency(context, code);
  if (!currency) throw notFound(`currency ${code}`);
  return currency;
}

/**
 * Parses an amount in major units, with a decimal point and no thousands separators, into minor units.
 * @param name the amount's name at the start of the error message, such as "The daily limit". @throws OperationError InvalidValue.
 */
export function parseMinor(text: string, currency: Currency, name: string): bigint {
  try {
    return parseWrittenAmount(text, currency.digits);
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    throw invalidValue(`${name} (${text}) ${error.message}.`);
  }
}

/** Like {@link parseMinor}, but also accepts zero. */
export const parseMinorOrZero = (text: string, currency: Currency, name: string): bigint =>
  /^0(\.0{1,4})?$/.test(text) ? 0n : parseMinor(text, currency, name);

const HOUSE_ACCOUNTS = {
  sandbox: ["fees", "fx", "funding", "issuing"],
  live: ["fees", "fx", "funding"],
} as const;
const MAX_DIGITS = 4;
const MAX_SYMBOL_LENGTH = 10;

export type NewCurrency = Change & {
  code: string;
  name: string;
  /** Omit for ISO 4217 codes, whose decimal places ISO defines. */
  digits?: number | undefined;
  /** Default: the usual symbol of an ISO code, otherwise the code. */
  symbol?: string | undefined;
  type?: "fiat" | "crypto" | undefined;
};

/** @throws OperationError InvalidValue, including for decimal places that differ from ISO 4217; AlreadyExists. */
export async function addCurrency(context: Context, input: NewCurrency): Promise<CurrencyModel> {
  const { code, name } = input;
  const iso = findIsoCurrency(code);
  const digits = input.digits ?? iso?.digits;
  if (!/^[A-Z0-9]{2,10}$/.test(code))
    throw invalidValue("A currency code must have 2 to 10 capital letters or digits.");
  if (digits === undefined) throw invalidValue(`${code} is not in ISO 4217: specify its decimal places.`);
  if (iso && digits !== iso.digits)
    throw invalidValue(`${code} has ${iso.digits} decimal places in ISO 4217.`);
  if (!Number.isInteger(digits) || digits < 0 || digits > MAX_DIGITS)
    throw invalidValue(`Decimal places must be a whole number from 0 to ${MAX_DIGITS}.`);
  const symbol = input.symbol ?? iso?.symbol ?? code;
  if (name.trim() === "" || symbol.trim() === "" || symbol.length > MAX_SYMBOL_LENGTH)
    throw invalidValue(`A currency needs a name, and a symbol of 1 to ${MAX_SYMBOL_LENGTH} characters.`);
  const type = input.type ?? "fiat";
  return rejectDuplicate(`Currency ${code} already exists.`, () =>
    changeWithAudit(context, input, async (tx) => {
      const created = await tx.currency.create({ data: { code, name, symbol, digits, type } });
      for (const mode of ["sandbox", "live"] as const)
        await tx.account.createMany({
          data: HOUSE_ACCOUNTS[mode].map((kind) => ({ mode, currency: code, kind })),
        });
      await recordChange(tx, {
        administrator: input.administrator,
        merchantId: null,
        action: "currency.add",
        subject: code,
        details: { name, symbol, digits, type },
      });
      return created;
    }),
  );
}

export const listCurrencies = ({ database: { prisma } }: Context): Promise<CurrencyModel[]> =>
  prisma.currency.findMany({ orderBy: { code: "asc" } });

/**
 * Activates or deactivates a currency. An inactive currency cannot be used for new wallets, orders, payouts, conversions or shoppers' sandbox
 * top-ups, and pending payouts in it can only be rejected. Existing balances are unaffected and can still pay open orders in that currency.
 * @throws OperationError SubjectNotFound.
 */
export async function setCurrencyActive(
  context: Context,
  input: Change & { currency: string; active: boolean },
): Promise<{ currency: CurrencyModel; changed: boolean }> {
  const { code } = await requireCurrency(context, input.currency);
  const { active } = input;
  return changeWithAudit(context, input, async (tx) => {
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

export const listOpenCurrencies = async ({
  database: { prisma },
}: Context): Promise<{ code: string; name: string }[]> =>
  prisma.currency.findMany({
    where: { active: true },
    select: { code: true, name: true },
    orderBy: { code: "asc" },
  });

/** @throws OperationError InvalidFields for an unknown or inactive currency, naming the field. */
export async function findOpenCurrency(
  { database: { prisma } }: Context,
  code: string,
  field = "currency",
): Promise<Currency> {
  const currency = await prisma.currency.findFirst({
    where: { code, active: true },
    select: { code: true, digits: true },
  });
  if (!currency) throw invalidField(field, FieldRule.ActiveCurrency.text);
  return currency;
}
