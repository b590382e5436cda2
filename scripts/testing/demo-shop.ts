import { findFreeBasePort, startStack } from "@tillgate/stack";
import { withFolder } from "./with-folder.js";

/** Sets up the WooCommerce REST tests: starts a demo shop, unless `WOO_URL` names a store, whose REST key must then be set too. */
export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  const environment = process.env;
  if (environment.WOO_URL) return undefined;
  return withFolder(async (folder) => {
    const stack = await startStack({
      dataDirectory: folder,
      basePort: await findFreeBasePort(),
      services: ["store"],
      fsync: false,
    });
    environment.WOO_IS_DEMO_SHOP = "yes";
    environment.WOO_URL = stack.addresses.internal.store;
    environment.WOO_CONSUMER_KEY = stack.sandbox.store_keys.consumer_key;
    environment.WOO_CONSUMER_SECRET = stack.sandbox.store_keys.consumer_secret;
    return () => stack.stop();
  });
}
