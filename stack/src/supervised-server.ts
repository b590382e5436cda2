import type { EmbeddedServer } from "@tillgate/database/embedded";
import { startDatabase } from "./databases.js";
import type { FailureCounts } from "./failure-counts.js";
import { keepRunning } from "./keep-running.js";
import type { Report } from "./report.js";
import { describeExit } from "./service-process.js";
import type { Closing } from "./start-services.js";

/** Name of the embedded server in reports and failure counts. */
export const POSTGRESQL = "PostgreSQL";

type OpenServer = Omit<Parameters<typeof startDatabase>[0], "continues" | "signal"> & {
  report: Report;
  failures: FailureCounts;
};

/**
 * Starts the embedded PostgreSQL, and restarts it whenever it exits, for example on a full disk. While it is down, the API responds with 503 and
 * `Retry-After`.
 * @returns its superuser URL.
 * @throws StackError if the first start fails.
 */
export async function startSupervisedServer(
  { report, failures, ...options }: OpenServer,
  closing: Closing,
): Promise<string> {
  const first = await startDatabase(options);
  closing.push(
    keepRunning({
      name: POSTGRESQL,
      first: toStarted(first),
      restart: async (signal) => toStarted(await startDatabase({ ...options, continues: true, signal })),
      report,
      failures,
    }),
  );
  return first.url;
}

const toStarted = ({ logFile, ended, stop }: EmbeddedServer) => ({
  logFile,
  stop,
  exited: ended.then(
    ({ code, signal }) => describeExit(code, signal),
    (error: Error) => `could not be started (${error.message})`,
  ),
  // startDatabase resolves once the server accepts queries.
  healthy: async () => undefined,
});
