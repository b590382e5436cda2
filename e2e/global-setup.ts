import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { findFreeBasePort, startStack } from "@tillgate/stack";
import { addShopper } from "./fixtures/administrator.js";
import { addedShoppersVariable, sandboxFileVariable } from "./fixtures/sandbox.js";

/**
 * Starts all of Tillgate once for all tests, with a separate database and free ports. Afterwards the service logs are in test-results/service-logs.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "tillgate-e2e-"));
  const dataDirectory = path.join(folder, "data");
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const stack = await startStack({
      dataDirectory,
      basePort: await findFreeBasePort(),
      fsync: false,
      // All test shoppers sign in from one address.
      environment: { TILLGATE_SIGN_INS_PER_MINUTE: "1000" },
      // A restarted service can explain a failed test.
      report: (line) => line.includes("Restarting") && console.error(line),
    });
    process.env[sandboxFileVariable] = path.join(dataDirectory, "sandbox.json");
    const added = ["+33698765432", "+33698765433"].map((phone, at) =>
      addShopper(stack.sandbox, `noor-${at}@example.com`, phone),
    );
    process.env[addedShoppersVariable] = JSON.stringify(await Promise.all(added));
    // Environment of the documented samples, as in a shop's own tests.
    const { api, merchant, store } = stack.sandbox;
    process.env.SHOP_URL = store;
    process.env.TILLGATE_API_URL = api;
    process.env.TILLGATE_CLIENT_ID = merchant.client_id;
    process.env.TILLGATE_CLIENT_SECRET = merchant.client_secret;
    return async () => {
      await stack.stop();
      const logs = path.join(import.meta.dirname, "test-results/service-logs");
      await cp(path.join(dataDirectory, "logs"), logs, { recursive: true });
      await removeFolder();
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}
