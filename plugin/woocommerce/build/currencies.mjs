import { currencies } from "@tillgate/money";

/** Decimals by currency code. @returns {Record<string, number>} */
export const currencyDigits = () => Object.fromEntries(currencies.map(({ code, digits }) => [code, digits]));
