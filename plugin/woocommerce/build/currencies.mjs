import { currencies } from "@tillgate/money";

/** Digits of the minor unit of every currency, as the rest of Tillgate counts them. @returns {Record<string, number>} */
export const currencyDigits = () => Object.fromEntries(currencies.map(({ code, digits }) => [code, digits]));
