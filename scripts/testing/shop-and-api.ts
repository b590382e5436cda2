import { freeBasePort, startStack } from "@tillgate/stack";
import { withFolder } from "./with-folder.js";

/**
 * Vitest's global set-up of the connector's tests: a real api and a real shop on a database of their own, at free ports.
 * Tests find what they need in the files of the folder `TILLGATE_CONNECTOR_TEST_FOLDER`. They bring their own
 * connectors.
 */
export default function setUp(): Promise<() => Promise<void>> {
  return withFolder(async (folder) => {
    const stack = await startStack({
      dataDirectory: folder,
      basePort: await freeBasePort(),
      services: ["api", "store"],
      fsync: false,
      // One merchant does here what a hundred do elsewhere.
      environment: { TILLGATE_PAY_REQUESTS_A_MINUTE: "100000000", LOG_LEVEL: "warn" },
    });
    process.env.TILLGATE_CONNECTOR_TEST_FOLDER = folder;
    return () => stack.stop();
  });
}
