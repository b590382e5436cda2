import { currencies } from "@tillgate/money";

/** @returns {Record<string, number>} number of decimals by currency code */
export const currencyDigits = () => Object.fromEntries(currencies.map(({ code, digits }) => [code, digits]));
