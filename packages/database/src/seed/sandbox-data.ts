/** Contents of a new sandbox. Amounts are minor units. Secrets, PINs and passwords are random and not defined here. */

export const CURRENCIES = [
  { code: "EUR", digits: 2, name: "Euro", symbol: "€" },
  { code: "USD", digits: 2, name: "US dollar", symbol: "$" },
  { code: "XAF", digits: 0, name: "Central African CFA franc", symbol: "FCFA" },
  { code: "JPY", digits: 0, name: "Japanese yen", symbol: "¥" },
  { code: "KWD", digits: 3, name: "Kuwaiti dinar", symbol: "KD" },
] as const;

type Balance = { currency: (typeof CURRENCIES)[number]["code"]; minor: bigint };

type SeededMerchant = {
  key: "merchant" | "other_merchant";
  name: string;
  /** Colour of the payment page's buttons and links. */
  accent: string;
  /** Only one merchant has a logo, so that both variants of the page can be seen. */
  logo: boolean;
  wallets: Balance[];
};

export const MERCHANTS: SeededMerchant[] = [
  {
    key: "merchant",
    name: "Kiln & Clover",
    accent: "#9a4a2b",
    logo: true,
    wallets: [
      { currency: "EUR", minor: 2_500_000n },
      { currency: "USD", minor: 2_500_000n },
      { currency: "XAF", minor: 15_000_000n },
    ],
  },
  {
    key: "other_merchant",
    name: "Café du Marché",
    accent: "#0d7f77",
    logo: false,
    wallets: [
      { currency: "EUR", minor: 800_000n },
      { currency: "USD", minor: 800_000n },
      { currency: "XAF", minor: 5_000_000n },
    ],
  },
];

export type SeededShopper = {
  name: string;
  phone: string;
  email: string;
  active: boolean;
  /** Set for the shared shopper, who signs in without a PIN. */
  open?: true;
  wallets: Balance[];
};

export const SHOPPERS: SeededShopper[] = [
  {
    name: "Amélie Laurent",
    phone: "+33612345678",
    email: "amelie@example.com",
    active: true,
    open: true,
    wallets: [{ currency: "EUR", minor: 150_000n }],
  },
  {
    name: "Samuel Ndongo",
    phone: "+237671234567",
    email: "samuel@example.com",
    active: true,
    wallets: [
      { currency: "EUR", minor: 60_000n },
      { currency: "XAF", minor: 750_000n },
    ],
  },
  {
    name: "Dana Cole",
    phone: "+12025550143",
    email: "dana@example.com",
    active: true,
    wallets: [{ currency: "USD", minor: 75n }],
  },
  {
    name: "Ivo Marek",
    phone: "+420601123456",
    email: "ivo@example.com",
    active: false,
    wallets: [{ currency: "EUR", minor: 0n }],
  },
];

export const ADMINISTRATOR_EMAIL = "administrator@example.com";
/** Approves the first administrator's requests. */
export const SECOND_ADMINISTRATOR_EMAIL = "second.administrator@example.com";
export const MERCHANT_USER_EMAIL = "owner@example.com";

/** Payout fees: fixed minor units plus a percentage of the payout's amount. */
export const DEFAULT_FEES = [
  { currency: "EUR", fixed: 25n, percent: "0.5" },
  { currency: "USD", fixed: 30n, percent: "0.5" },
  { currency: "XAF", fixed: 150n, percent: "0.5" },
] as const;

/** One unit of `base` in `quote`, before the spread. */
export const EXCHANGE_RATES = [
  { base: "EUR", quote: "USD", rate: "1.0842" },
  { base: "USD", quote: "EUR", rate: "0.92234" },
  { base: "EUR", quote: "XAF", rate: "655.957" },
  { base: "XAF", quote: "EUR", rate: "0.00152449" },
  { base: "USD", quote: "XAF", rate: "605.015" },
  { base: "XAF", quote: "USD", rate: "0.00165285" },
] as const;
export const SPREAD_PERCENT = "1";

const IN_CENTS = { perTransaction: 500_000n, daily: 1_000_000n, monthly: 5_000_000n, reviewAbove: 200_000n };

/** Payout terms of each sandbox merchant, in minor units. */
export const PAYOUT_TERMS = [
  { currency: "EUR", ...IN_CENTS },
  { currency: "USD", ...IN_CENTS },
  {
    currency: "XAF",
    perTransaction: 3_000_000n,
    daily: 6_000_000n,
    monthly: 30_000_000n,
    reviewAbove: 1_200_000n,
  },
] as const;
