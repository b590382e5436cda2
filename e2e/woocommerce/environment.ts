/** Which shop is tried: any WordPress with WooCommerce that this machine and the stack reach, and that may be changed. */
export interface ShopEnvironment {
  url: string;
  consumerKey: string;
  consumerSecret: string;
  administrator: { user: string; password: string };
}

/** @throws Error naming the variable that is missing */
export function readShopEnvironment(): ShopEnvironment {
  const given = (name: string): string => {
    const value = process.env[name];
    if (value === undefined || value === "") {
      throw new Error(`Set ${name}: this suite needs a WooCommerce shop of its own (see e2e/README.md).`);
    }
    return value;
  };
  return {
    url: given("WOO_URL").replace(/\/+$/, ""),
    consumerKey: given("WOO_CONSUMER_KEY"),
    consumerSecret: given("WOO_CONSUMER_SECRET"),
    administrator: { user: given("WOO_ADMIN_USER"), password: given("WOO_ADMIN_PASSWORD") },
  };
}
