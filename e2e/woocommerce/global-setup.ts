import { sandboxFileVariable } from "../fixtures/sandbox.js";
import startEverything from "../global-setup.js";
import { readShopEnvironment } from "./environment.js";

/** Starts Tillgate beside the shop, unless TILLGATE_E2E_SANDBOX_FILE names one that runs. */
export default async function setUp(): Promise<() => Promise<void>> {
  readShopEnvironment();
  if (process.env[sandboxFileVariable] !== undefined) return async () => undefined;
  return startEverything();
}
