import { setTimeout as delay } from "node:timers/promises";
import type { EmbeddedServer } from "@tillgate/database/embedded";
import { startDatabase } from "./databases.js";
import type { Parts } from "./parts.js";

/** How long after a start that failed the next one is tried, in milliseconds. */
const RESTART_DELAY_MS = 5_000;

type OpenServer = Omit<Parameters<typeof startDatabase>[0], "continues"> & {
  /** Hears when it has ended unasked, why it cannot start again, and that it runs again. */
  report: (line: string) => void;
};

/**
 * Starts the embedded PostgreSQL, and again whenever it ends unasked: on a full disk it ends as soon as its log needs room. The
 * services run on meanwhile and answer 503 with `Retry-After`.
 * @returns its address as an administrator.
 * @throws StackError when it cannot start at first.
 */
export async function openServer(
  { report, ...options }: OpenServer,
  { closing }: Pick<Parts, "closing">,
): Promise<string> {
  const first = await startDatabase(options);
  const ending = new AbortController();
  const running = keepRunning(first, {
    startAgain: () => startDatabase({ ...options, continues: true }),
    report,
    signal: ending.signal,
  });
  closing.push(async () => {
    ending.abort();
    await (await running)?.stop();
  });
  return first.url;
}

type KeepRunning = {
  startAgain: () => Promise<EmbeddedServer>;
  report: OpenServer["report"];
  signal: AbortSignal;
};

/** @returns once the signal is aborted, the server that runs then, if one does. */
async function keepRunning(
  first: EmbeddedServer,
  { startAgain, report, signal }: KeepRunning,
): Promise<EmbeddedServer | undefined> {
  const asked = new Promise<"asked">((resolve) => {
    signal.addEventListener("abort", () => resolve("asked"), { once: true });
  });
  let server = first;
  for (;;) {
    const ended = server.ended.catch(() => undefined);
    if ((await Promise.race([asked, ended])) === "asked") return server;
    report(`PostgreSQL ended unasked and is started again. See ${server.logFile}.`);
    const again = await restartUntilRunning({ startAgain, report, signal });
    if (again === undefined) return undefined;
    report("PostgreSQL runs again.");
    server = again;
  }
}

/** Says why it cannot start when that is another reason than before. @returns undefined when the signal is aborted first. */
async function restartUntilRunning({
  startAgain,
  report,
  signal,
}: KeepRunning): Promise<EmbeddedServer | undefined> {
  let said = "";
  while (!signal.aborted) {
    try {
      return await startAgain();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const [line = ""] = reason.split("\n");
      if (line !== said) report(reason);
      said = line;
      await delay(RESTART_DELAY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  return undefined;
}
