import { z } from "zod";

/** Where WooCommerce keeps orders: in tables of its own ("high-performance order storage"), or as WordPress posts. */
export type OrderStorage = "hpos" | "posts";

/** Which shop is tried: any WordPress with WooCommerce that this machine and the stack reach, and that may be changed. */
export type ShopEnvironment = {
  url: string;
  consumerKey: string;
  consumerSecret: string;
  administrator: { user: string; password: string };
  /** What the shop is meant to have: a run proves nothing of the other kind. */
  orderStorage: OrderStorage;
};

/** @throws Error naming the variable that is missing or wrong */
export function readShopEnvironment(): ShopEnvironment {
  const given = (name: string): string => {
    const value = process.env[name];
    if (value === undefined || value === "") {
      throw new Error(`Set ${name}: this suite needs a WooCommerce shop of its own (see e2e/README.md).`);
    }
    return value;
  };
  const orderStorage = z.enum(["hpos", "posts"]).safeParse(given("WOO_ORDER_STORAGE"));
  if (!orderStorage.success) throw new Error("WOO_ORDER_STORAGE must be hpos or posts.");
  return {
    url: given("WOO_URL").replace(/\/+$/, ""),
    consumerKey: given("WOO_CONSUMER_KEY"),
    consumerSecret: given("WOO_CONSUMER_SECRET"),
    administrator: { user: given("WOO_ADMIN_USER"), password: given("WOO_ADMIN_PASSWORD") },
    orderStorage: orderStorage.data,
  };
}
