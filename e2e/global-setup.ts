import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freeBasePort, startStack } from "@tillgate/stack";
import { sandboxFileVariable } from "./fixtures/sandbox.js";

/**
 * Starts the whole product on a database of its own and at free ports, once for all tests. What the services logged is
 * kept beside the traces of failed tests.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "tillgate-e2e-"));
  const dataDirectory = path.join(folder, "data");
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const stack = await startStack({ dataDirectory, basePort: await freeBasePort(), fsync: false });
    process.env[sandboxFileVariable] = path.join(dataDirectory, "sandbox.json");
    let stopping = false;
    void stack.failed.then((failure) => {
      if (!stopping) console.error(failure.message);
    });
    return async () => {
      stopping = true;
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
