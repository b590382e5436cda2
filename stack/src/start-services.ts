import { open, stat } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import type { FailureCounts } from "./failure-counts.js";
import { keepRunning } from "./keep-running.js";
import type { Report } from "./report.js";
import { type ServiceDefinition, type ServiceProcess, startService } from "./service-process.js";

const POLL_MS = 200;
const START_TIMEOUT_MS = 60_000;

/**
 * Prints each new line of a log file, prefixed with the service's name.
 * @returns a function that stops following, after the remaining lines are printed.
 */
function followLog(name: string, logFile: string, print: (line: string) => void): () => Promise<void> {
  let position = 0;
  let partialLine = "";
  // A read may end in the middle of a UTF-8 sequence.
  const decoder = new StringDecoder("utf8");
  let reading: Promise<void> = Promise.resolve();
  const readNewLines = async () => {
    const found = await stat(logFile).catch(() => undefined);
    if (!found || found.size <= position) return;
    const file = await open(logFile, "r");
    try {
      const { buffer, bytesRead } = await file.read({
        buffer: Buffer.alloc(found.size - position),
        position,
      });
      position += bytesRead;
      const lines = (partialLine + decoder.write(buffer.subarray(0, bytesRead))).split("\n");
      partialLine = lines.pop() ?? "";
      for (const line of lines) print(`${name.padEnd(10)} ${line}`);
    } finally {
      await file.close();
    }
  };
  const timer = setInterval(() => {
    reading = reading.then(readNewLines);
  }, POLL_MS);
  return async () => {
    clearInterval(timer);
    await reading;
    await readNewLines();
  };
}

/** Functions that stop what was started, in start order. */
export type Closing = (() => Promise<unknown>)[];

type StartServices = {
  logFolder: string;
  signal: AbortSignal;
  report: Report;
  /** Failure counts, which the API reports as metrics. */
  failures: FailureCounts;
  /** Receives the services' log lines. */
  follow?: ((line: string) => void) | undefined;
};

/**
 * Starts services, waits until all are healthy, and restarts any service that exits later.
 * @throws StackError if a service exits before it is healthy, or is not healthy within 60 s; the signal's reason if the signal is aborted.
 */
export async function startServices(
  definitions: readonly ServiceDefinition[],
  { logFolder, signal, report, failures, follow }: StartServices,
  closing: Closing,
): Promise<void> {
  const started: ServiceProcess[] = [];
  const followed: (() => Promise<void>)[] = [];
  closing.push(() => Promise.all(followed.map((stopFollowing) => stopFollowing())));
  // Stopped in parallel, because each service may take seconds to finish its work.
  let stopAll = () => Promise.all(started.map((service) => service.stop()));
  closing.push(() => stopAll());
  const start = async (definition: ServiceDefinition, continues = false): Promise<ServiceProcess> => {
    const service = await startService(definition, logFolder, { continues });
    if (definition.name === "api") failures.sendTo(service);
    return service;
  };
  for (const definition of definitions) {
    const service = await start(definition);
    started.push(service);
    if (follow) followed.push(followLog(definition.name, service.logFile, follow));
  }
  await Promise.all(started.map((service) => service.healthy(signal, START_TIMEOUT_MS)));
  const stops = definitions.flatMap((definition, index) => {
    const first = started[index];
    const restart = () => start(definition, true);
    return first ? [keepRunning({ name: definition.name, first, restart, report, failures })] : [];
  });
  stopAll = () => Promise.all(stops.map((stop) => stop()));
}

/** Stops everything in reverse order, even if a step fails. @throws AggregateError of all failures. */
export async function closeAll(closing: Readonly<Closing>): Promise<void> {
  const errors: unknown[] = [];
  for (const close of closing.toReversed()) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, "Some services could not be stopped.");
}
