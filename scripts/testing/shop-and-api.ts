import { findFreeBasePort, startStack } from "@tillgate/stack";
import { startTraceCollector } from "./trace-collector.js";
import { withFolder } from "./with-folder.js";

/** Starts a real API and a real shop for the connector's tests, which start their own connectors. */
export default function setUp(): Promise<() => Promise<void>> {
  return withFolder(async (folder) => {
    const collector = await startTraceCollector();
    process.env.TILLGATE_TEST_TRACE_COLLECTOR = collector.url;
    const stack = await startStack({
      dataDirectory: folder,
      basePort: await findFreeBasePort(),
      services: ["api", "pay", "store"],
      fsync: false,
      // One merchant makes all requests of the run.
      environment: {
        TILLGATE_PAY_REQUESTS_PER_MINUTE: "100000000",
        LOG_LEVEL: "warn",
        // Traces only requests with a sampled `traceparent`.
        TILLGATE_TRACE_COLLECTOR: collector.url,
        TILLGATE_TRACE_SAMPLE_RATIO: "0",
      },
    });
    process.env.TILLGATE_CONNECTOR_TEST_FOLDER = folder;
    return async () => {
      await stack.stop();
      collector.close();
    };
  });
}
