import { z } from "zod";

/** WooCommerce's order storage: separate tables ("high-performance order storage"), or WordPress posts. */
export type OrderStorage = "hpos" | "posts";

/** The shop under test: any WordPress with WooCommerce that this machine and the stack can reach and the tests may change. */
export type ShopEnvironment = {
  url: string;
  consumerKey: string;
  consumerSecret: string;
  administrator: { user: string; password: string };
  /** The expected storage, so that a run does not test the wrong one. */
  orderStorage: OrderStorage;
  /** Whether the shop must have a persistent object cache, such as Redis. */
  needsObjectCache: boolean;
};

/**
 * Reads the URL and keys of a second site in the shop's network from the environment.
 * @returns null if WOO_SECOND_URL is not set
 * @throws Error if the site's keys or the shop's variables are missing or invalid
 */
export function readSecondSite(): ShopEnvironment | null {
  const { WOO_SECOND_URL: url, WOO_SECOND_CONSUMER_KEY, WOO_SECOND_CONSUMER_SECRET } = process.env;
  if (url === undefined) return null;
  const keys = z
    .object({ consumerKey: z.string().min(1), consumerSecret: z.string().min(1) })
    .parse({ consumerKey: WOO_SECOND_CONSUMER_KEY, consumerSecret: WOO_SECOND_CONSUMER_SECRET });
  return { ...readShopEnvironment(), url: url.replace(/\/+$/, ""), ...keys };
}

/**
 * Reads the URL of a staging copy, and the command that copies the shop's files and database to it, from the environment.
 * @returns null unless both variables are set
 */
export function readStagingCopy(): { url: string; command: string } | null {
  const { WOO_COPY_URL: url, WOO_COPY_COMMAND: command } = process.env;
  return url === undefined || command === undefined ? null : { url: url.replace(/\/+$/, ""), command };
}

/** Reads the shop under test from the environment. @throws Error naming the first variable that is missing or invalid */
export function readShopEnvironment(): ShopEnvironment {
  const requireVariable = (name: string): string => {
    const value = process.env[name];
    if (value === undefined || value === "") {
      throw new Error(`Set ${name}: the tests need a WooCommerce shop they may change (see e2e/README.md).`);
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
    needsObjectCache: process.env.WOO_OBJECT_CACHE === "yes",
  };
}
