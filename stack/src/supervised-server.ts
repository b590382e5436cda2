import { setTimeout as delay } from "node:timers/promises";
import type { EmbeddedServer } from "@tillgate/database/embedded";
import { startDatabase } from "./databases.js";
import type { Lifecycle } from "./start-services.js";

/** Delay between attempts to start it, in milliseconds. */
const RESTART_DELAY_MS = 5_000;

type OpenServer = Omit<Parameters<typeof startDatabase>[0], "continues"> & {
  /** Receives unexpected exits, why a restart failed, and that it is running again. */
  report: (line: string) => void;
};

/**
 * Starts the embedded PostgreSQL and restarts it whenever it exits, for example on a full disk. Meanwhile the services keep
 * running and respond 503 with `Retry-After`.
 * @returns its superuser URL.
 * @throws StackError when the first start fails.
 */
export async function startSupervisedServer(
  { report, ...options }: OpenServer,
  { closing }: Pick<Lifecycle, "closing">,
): Promise<string> {
  const first = await startDatabase(options);
  const ending = new AbortController();
  const running = superviseServer(first, {
    restart: () => startDatabase({ ...options, continues: true }),
    report,
    signal: ending.signal,
  });
  closing.push(async () => {
    ending.abort();
    await (await running)?.stop();
  });
  return first.url;
}

type SuperviseOptions = {
  restart: () => Promise<EmbeddedServer>;
  report: OpenServer["report"];
  signal: AbortSignal;
};

/** @returns the running server, if any, once the signal is aborted. */
async function superviseServer(
  first: EmbeddedServer,
  { restart, report, signal }: SuperviseOptions,
): Promise<EmbeddedServer | undefined> {
  const stopped = new Promise<"stopped">((resolve) => {
    signal.addEventListener("abort", () => resolve("stopped"), { once: true });
  });
  let server = first;
  for (;;) {
    const exited = server.ended.catch(() => undefined);
    if ((await Promise.race([stopped, exited])) === "stopped") return server;
    report(`PostgreSQL exited unexpectedly. Restarting it. See ${server.logFile}.`);
    const restarted = await restartUntilRunning({ restart, report, signal });
    if (restarted === undefined) return undefined;
    report("PostgreSQL is running again.");
    server = restarted;
  }
}

/** Retries until the server starts; reports a failure only when its reason changes. @returns undefined when aborted. */
async function restartUntilRunning({
  restart,
  report,
  signal,
}: SuperviseOptions): Promise<EmbeddedServer | undefined> {
  let lastReported = "";
  while (!signal.aborted) {
    try {
      return await restart();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const [line = ""] = reason.split("\n");
      if (line !== lastReported) report(reason);
      lastReported = line;
      await delay(RESTART_DELAY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  return undefined;
}
