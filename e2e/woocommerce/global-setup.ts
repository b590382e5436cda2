import { sandboxFileVariable } from "../fixtures/sandbox.js";
import startEverything from "../global-setup.js";
import { readShopEnvironment } from "./environment.js";

/** Starts Tillgate for the shop, unless TILLGATE_E2E_SANDBOX_FILE names a running one. */
export default async function setUp(): Promise<() => Promise<void>> {
  readShopEnvironment();
  if (process.env[sandboxFileVariable] !== undefined) return async () => undefined;
  return startEverything();
}
