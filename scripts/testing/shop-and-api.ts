import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freeBasePort, startStack } from "@tillgate/stack";

/**
 * Vitest's global set-up of the connector's tests: a real api and a real shop on a database of their own, at free ports.
 * Tests find what they need in the files of the folder `TILLGATE_CONNECTOR_TEST_FOLDER`. They bring their own
 * connectors.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "tillgate-connector-stack-"));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const stack = await startStack({
      dataDirectory: folder,
      basePort: await freeBasePort(),
      services: ["api", "store"],
      fsync: false,
      // One merchant does here what a hundred do elsewhere.
      environment: { TILLGATE_PAY_REQUESTS_A_MINUTE: "100000000", LOG_LEVEL: "warn" },
    });
    process.env.TILLGATE_CONNECTOR_TEST_FOLDER = folder;
    return async () => {
      await stack.stop();
      await removeFolder();
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}
