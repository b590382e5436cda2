import { randomInt } from "node:crypto";
import { type ApiClients, createApiClients } from "../api-clients.js";
import type { System } from "../system.js";
import { type Person, ShopperBrowser } from "./shopper.js";

export const CURRENCIES = ["EUR", "USD", "XAF"] as const;

export type Parties = {
  people: readonly Person[];
  nextApi(): ApiClients;
  openBrowser(at: number): ShopperBrowser;
};
export type Address = Pick<System, "origins" | "internalKey" | "access">;

export function createParties({ origins, internalKey, access }: Address): Parties {
  const nextApi = createApiClients(origins, access.other_merchant);
  // The drill's other load pays out to the first shopper.
  const people = access.shoppers.filter(({ active }) => active).slice(1);
  return {
    people,
    nextApi,
    openBrowser: (at) => new ShopperBrowser(pick(people, at), () => nextApi().baseUrl, internalKey),
  };
}

const nameWallet = (owner: string, currency: string): string => `${owner} ${currency}`;
export const merchantWallet = (currency: string): string => nameWallet("merchant", currency);
export const walletOf = ({ email }: Person, currency: string): string => nameWallet(email, currency);

export function pick<Item>(items: readonly Item[], at: number): Item {
  const item = items[at % items.length];
  if (item === undefined) throw new Error("the list to choose from is empty");
  return item;
}
export const pickAny = <Item>(items: readonly Item[]): Item => pick(items, randomInt(items.length));
