import { freeBasePort, startStack } from "@tillgate/stack";
import { startTraceCollector } from "./trace-collector.js";
import { withFolder } from "./with-folder.js";

/**
 * Vitest's global set-up of the connector's tests: a real api and a real shop on a database of their own, at free ports.
 * Tests find what they need in the files of the folder `TILLGATE_CONNECTOR_TEST_FOLDER`. They bring their own
 * connectors.
 */
export default function setUp(): Promise<() => Promise<void>> {
  return withFolder(async (folder) => {
    const collector = await startTraceCollector();
    process.env.TILLGATE_TEST_TRACE_COLLECTOR = collector.url;
    const stack = await startStack({
      dataDirectory: folder,
      basePort: await freeBasePort(),
      services: ["api", "store"],
      fsync: false,
      // One merchant does here what a hundred do elsewhere.
      environment: {
        TILLGATE_PAY_REQUESTS_A_MINUTE: "100000000",
        LOG_LEVEL: "warn",
        // Only what a test asks for by a `traceparent` is traced.
        TILLGATE_TRACE_COLLECTOR: collector.url,
        TILLGATE_TRACES_ONE_OF: "1000000",
      },
    });
    process.env.TILLGATE_CONNECTOR_TEST_FOLDER = folder;
    return async () => {
      await stack.stop();
      collector.close();
    };
  });
}
