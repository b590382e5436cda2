import { z } from "zod";

/** WooCommerce's order storage: its own tables ("high-performance order storage"), or WordPress posts. */
export type OrderStorage = "hpos" | "posts";

/** The shop under test: any WordPress with WooCommerce that this machine and the stack can reach and the tests may change. */
export type ShopEnvironment = {
  url: string;
  consumerKey: string;
  consumerSecret: string;
  administrator: { user: string; password: string };
  /** The expected storage, so that a run does not test the wrong one. */
  orderStorage: OrderStorage;
};

/** @throws Error naming the variable that is missing or invalid */
export function readShopEnvironment(): ShopEnvironment {
  const requireVariable = (name: string): string => {
    const value = process.env[name];
    if (value === undefined || value === "") {
      throw new Error(`Set ${name}: this suite needs a WooCommerce shop of its own (see e2e/README.md).`);
    }
    return value;
  };
  const orderStorage = z.enum(["hpos", "posts"]).safeParse(requireVariable("WOO_ORDER_STORAGE"));
  if (!orderStorage.success) throw new Error("WOO_ORDER_STORAGE must be hpos or posts.");
  return {
    url: requireVariable("WOO_URL").replace(/\/+$/, ""),
    consumerKey: requireVariable("WOO_CONSUMER_KEY"),
    consumerSecret: requireVariable("WOO_CONSUMER_SECRET"),
    administrator: {
      user: requireVariable("WOO_ADMIN_USER"),
      password: requireVariable("WOO_ADMIN_PASSWORD"),
    },
    orderStorage: orderStorage.data,
  };
}
