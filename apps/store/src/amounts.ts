/** Decimal places of every amount: in WooCommerce, they are a shop setting (default: 2), not a property of the currency. */
export const SHOP_DECIMALS = 2;

const decimalText = /^([+-])?(\d+)?(?:\.(\d*))?$/;

/**
 * Parses a decimal in major units as WooCommerce does: rounded half away from zero to the shop's number of decimals.
 * @returns minor units; undefined if the input is not a decimal or has more than 15 digits before the point
 */
export function parseDecimal(input: string | number): bigint | undefined {
  const match = decimalText.exec(String(input).trim());
  if (!match) return undefined;
  const [, sign, integerDigits = "", fraction = ""] = match;
  if (integerDigits === "" && fraction === "") return undefined;
  if (integerDigits.length > 15) return undefined;
  const decimals = fraction.slice(0, SHOP_DECIMALS).padEnd(SHOP_DECIMALS, "0");
  const roundsUp = (fraction[SHOP_DECIMALS] ?? "0") >= "5";
  const minor = BigInt(integerDigits + decimals) + (roundsUp ? 1n : 0n);
  return sign === "-" ? -minor : minor;
}

/** Formats minor units as a decimal string for the REST API: 1250n is "12.50". */
export function formatDecimal(minor: bigint): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(SHOP_DECIMALS + 1, "0");
  const integerDigits = digits.slice(0, -SHOP_DECIMALS);
  return `${minor < 0n ? "-" : ""}${integerDigits}.${digits.slice(-SHOP_DECIMALS)}`;
}

/** Formats minor units for display: 1250n EUR is "€12.50". Exact for every amount. */
export function formatPrice(minor: bigint, currency: string): string {
  const format = new Intl.NumberFormat("en-IE", {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: SHOP_DECIMALS,
    maximumFractionDigits: SHOP_DECIMALS,
  });
  const [integerDigits = "0", fraction = ""] = formatDecimal(minor < 0n ? -minor : minor).split(".");
  // The integer part is formatted as a bigint; then the decimals replace its zeros.
  const parts = format.formatToParts(BigInt(integerDigits));
  const text = parts.map(({ type, value }) => (type === "fraction" ? fraction : value)).join("");
  return minor < 0n ? `-${text}` : text;
}
