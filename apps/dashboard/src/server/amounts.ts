import { AmbiguousAmountError, AmountError, findCurrency, parseTypedAmount } from "@tillgate/money";
import { createFormats, LOCALES } from "#texts/formats.ts";
import type { Language } from "#texts/languages.ts";
import { FormRejected, textField } from "./forms";
import type { FormError } from "./page";

type AmountFormat = {
  language: Language;
  /** The currency of the amount; null for a rate or a percentage. */
  currency: string | null;
};

/** Parses an amount, rate or percentage into a decimal string for the API; empty if the field is empty. @throws FormRejected if invalid or ambiguous */
export function readAmountField(form: URLSearchParams, name: string, format: AmountFormat): string {
  const text = textField(form, name);
  if (text === "") return "";
  const read = readAmount(name, text, format);
  if (typeof read !== "string") throw new FormRejected([read]);
  return read;
}

/** Parses `text`, which must not be empty, like {@link readAmountField}. @returns the decimal string, or the error to show at `field` */
export function readAmount(
  field: string,
  text: string,
  { language, currency }: AmountFormat,
): string | FormError {
  const digits = currency === null ? undefined : findCurrency(currency)?.digits;
  try {
    return parseTypedAmount(text, { locale: LOCALES[language], digits });
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    const f = createFormats(language);
    if (error instanceof AmbiguousAmountError) {
      const { typed, small, large } = error;
      const shown = (amount: string) =>
        currency === null ? f.decimal(amount) : f.money({ amount, currency });
      const readings = { typed, small: shown(small.value), large: shown(large.value) };
      const spellings = {
        smallSpelling: small.unambiguous ?? "none",
        largeSpelling: large.unambiguous ?? "",
      };
      return { field, text: "error.ambiguousAmount", values: { ...readings, ...spellings } };
    }
    if (error.reason === "too_many_decimals")
      return { field, text: "rule.decimals", values: { value: digits ?? 0 } };
    return { field, text: "error.amount", values: { example: f.example(digits ?? 2) } };
  }
}
