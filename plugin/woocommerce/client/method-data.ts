/** What the server says about the method, for the block checkout. */
export type MethodData = {
  title: string;
  description: string;
  /** What shoppers read while no real money moves; empty in live mode. */
  testMode: string;
  /** Address of a picture. */
  icon: string;
  /** What the button that places the order says. */
  button: string;
  /** In units of the currency; null where the owner set no limit. */
  minAmount: number | null;
  maxAmount: number | null;
  /** Decimals of the currency; null where it is not known. */
  digits: number | null;
  /** Codes of the billing address's countries; none: all. */
  countries: string[];
  /** Where "pay at once" leads, and what its button says; null where the owner wants none. */
  express: { address: string; label: string } | null;
  supports: string[];
};

/** @returns null where the server did not offer the method on this page */
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
    return Array.isArray(field) ? field.filter((one) => typeof one === "string") : [];
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

/** What WooCommerce tells of the cart: the total in minor units, as text. */
export type CartState = {
  cartTotals?: { total_price?: string; currency_minor_unit?: number };
  billingAddress?: { country?: string };
};

/** Whether the owner offers the method for this cart. What is not known yet is no reason to hide it. */
export function isOffered({ minAmount, maxAmount, digits, countries }: MethodData, cart: CartState): boolean {
  const minor = Number(cart.cartTotals?.total_price ?? Number.NaN);
  const decimals = cart.cartTotals?.currency_minor_unit ?? 2;
  const total = minor / 10 ** decimals;
  const isFiner = digits !== null && decimals > digits && minor % 10 ** (decimals - digits) > 0;
  const country = cart.billingAddress?.country ?? "";
  const isTooSmall = minAmount !== null && total > 0 && total < minAmount;
  const isTooLarge = maxAmount !== null && total > maxAmount;
  const isAbroad = countries.length > 0 && country !== "" && !countries.includes(country);
  return !isFiner && !isTooSmall && !isTooLarge && !isAbroad;
}
