/** What a fresh sandbox holds. Amounts are minor units. Secrets, PINs and passwords are random, never written here. */

export const CURRENCIES = [
  { code: "EUR", digits: 2, name: "Euro", symbol: "€" },
  { code: "USD", digits: 2, name: "US dollar", symbol: "$" },
  { code: "XAF", digits: 0, name: "Central African CFA franc", symbol: "FCFA" },
  { code: "JPY", digits: 0, name: "Japanese yen", symbol: "¥" },
  { code: "KWD", digits: 3, name: "Kuwaiti dinar", symbol: "KD" },
] as const;

type Balance = { currency: (typeof CURRENCIES)[number]["code"]; minor: bigint };

export const MERCHANTS: { key: "merchant" | "other_merchant"; name: string; wallets: Balance[] }[] = [
  {
    key: "merchant",
    name: "Kiln & Clover",
    wallets: [
      { currency: "EUR", minor: 2_500_000n },
      { currency: "USD", minor: 2_500_000n },
      { currency: "XAF", minor: 15_000_000n },
    ],
  },
  {
    key: "other_merchant",
    name: "Café du Marché",
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
  wallets: Balance[];
};

export const SHOPPERS: SeededShopper[] = [
  {
    name: "Amélie Laurent",
    phone: "+33612345678",
    email: "amelie@example.com",
    active: true,
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
export const MERCHANT_USER_EMAIL = "owner@example.com";
