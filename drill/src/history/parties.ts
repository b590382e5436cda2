import { randomInt } from "node:crypto";
import { createPartnerClient, createPayClient } from "@tillgate/client";
import type { System } from "../system.js";
import { PATIENCE_MS, type Person, ShopperBrowser } from "./shopper.js";

/** Calls are sent once: a retry would be a second call of the same operation. */
const ONCE = { maxRetries: 0, timeoutMs: PATIENCE_MS, mode: "sandbox" as const };

export const CURRENCIES = ["EUR", "USD", "XAF"] as const;

const createSide = (baseUrl: string, { other_merchant: merchant }: System["access"]) => {
  const { client_id: clientId, client_secret: clientSecret, api_token: apiToken } = merchant;
  return {
    pay: createPayClient({ ...ONCE, baseUrl, clientId, clientSecret }),
    partner: createPartnerClient({ ...ONCE, baseUrl, apiToken }),
  };
};

/** The owners of the recorded wallets, and how their calls reach the HTTP processes: each the next one. */
export type Parties = {
  people: readonly Person[];
  nextSide(): ReturnType<typeof createSide>;
  openBrowser(at: number): ShopperBrowser;
};
export type Address = Pick<System, "origins" | "internalKey" | "access">;

export function createParties({ origins, internalKey, access }: Address): Parties {
  const sides = origins.map((origin) => createSide(origin, access));
  let turn = 0;
  const next = <Item>(items: readonly Item[]): Item => {
    turn += 1;
    return pick(items, turn);
  };
  // The drill's other load pays out to the first shopper.
  const people = access.shoppers.filter(({ active }) => active).slice(1);
  return {
    people,
    nextSide: () => next(sides),
    openBrowser: (at) => new ShopperBrowser(pick(people, at), () => next(origins), internalKey),
  };
}

const nameWallet = (owner: string, currency: string): string => `${owner} ${currency}`;
export const merchantWallet = (currency: string): string => nameWallet("merchant", currency);
export const walletOf = ({ email }: Person, currency: string): string => nameWallet(email, currency);

export function pick<Item>(items: readonly Item[], at: number): Item {
  const item = items[at % items.length];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}
export const pickAny = <Item>(items: readonly Item[]): Item => pick(items, randomInt(items.length));
