export type MethodData = {
  title: string;
  description: string;
  /** Test mode notice; empty in live mode. */
  testMode: string;
  /** Image URL. */
  icon: string;
  /** Label of the place-order button. */
  button: string;
  /** In currency units; null: no limit. */
  minAmount: number | null;
  maxAmount: number | null;
  /** Decimals of the currency; null if unknown. */
  digits: number | null;
  /** Allowed billing countries; empty: all. */
  countries: string[];
  /** URL and label of the express payment button; null if disabled. */
  express: { address: string; label: string } | null;
  supports: string[];
};

/** Invalid fields become empty or null. @returns null if the server sent no title, because the method is not offered on this page */
export function readMethodData(value: unknown): MethodData | null {
  if (typeof value !== "object" || value === null) return null;
  const fields = new Map<string, unknown>(Object.entries(value));
  const text = (name: string): string => {
    const field = fields.get(name);
    return typeof field === "string" ? field : "";
  };
  const amount = (name: string): number | null => {
    const field = fields.get(name);
    return typeof field === "number" ? field : null;
  };
  const texts = (name: string): string[] => {
    const field = fields.get(name);
    return Array.isArray(field) ? field.filter((item) => typeof item === "string") : [];
  };
  if (!fields.has("title")) return null;
  return {
    title: text("title"),
    description: text("description"),
    testMode: text("testMode"),
    icon: text("icon"),
    button: text("button"),
    minAmount: amount("minAmount"),
    maxAmount: amount("maxAmount"),
    digits: amount("digits"),
    countries: texts("countries"),
    express: readExpress(fields.get("express")),
    supports: texts("supports"),
  };
}

function readExpress(value: unknown): MethodData["express"] {
  if (typeof value !== "object" || value === null || !("address" in value) || !("label" in value))
    return null;
  const { address, label } = value;
  return typeof address === "string" && typeof label === "string" ? { address, label } : null;
}

/** WooCommerce's cart; `total_price` is in minor units, as text. */
export type CartState = {
  cartTotals?: { total_price?: string; currency_minor_unit?: number };
  billingAddress?: { country?: string };
};

/** Unknown values and a total of zero don't exclude the method. */
export function isOffered({ minAmount, maxAmount, digits, countries }: MethodData, cart: CartState): boolean {
  const minor = Number(cart.cartTotals?.total_price ?? Number.NaN);
  const decimals = cart.cartTotals?.currency_minor_unit ?? 2;
  const total = minor / 10 ** decimals;
  const hasExtraDecimals = digits !== null && decimals > digits && minor % 10 ** (decimals - digits) > 0;
  const country = cart.billingAddress?.country ?? "";
  const isTooSmall = minAmount !== null && total > 0 && total < minAmount;
  const isTooLarge = maxAmount !== null && total > maxAmount;
  const isExcludedCountry = countries.length > 0 && country !== "" && !countries.includes(country);
  return !hasExtraDecimals && !isTooSmall && !isTooLarge && !isExcludedCountry;
}
