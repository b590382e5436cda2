import { open, stat } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import { type ServiceDefinition, type ServiceProcess, startService } from "./service-process.js";
import type { StackError } from "./stack-error.js";

const POLL_MS = 200;

/**
 * Follows a log file and prints each new line after the service's name.
 * @returns stops following, after the remaining lines are printed.
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

/** What has been started, and how to stop it. */
export type Lifecycle = {
  /** Stops each one; in start order. */
  closing: (() => Promise<unknown>)[];
  /** Each resolves when its service exits unexpectedly. */
  failures: Promise<StackError>[];
};

type StartServices = {
  logFolder: string;
  signal: AbortSignal;
  /** Receives the services' log lines. */
  follow?: ((line: string) => void) | undefined;
};

/** Starts services and waits until all are healthy. @throws StackError when one is not. */
export async function startServices(
  definitions: readonly ServiceDefinition[],
  { logFolder, signal, follow }: StartServices,
  { closing, failures }: Lifecycle,
): Promise<void> {
  const running: ServiceProcess[] = [];
  const followed: (() => Promise<void>)[] = [];
  closing.push(() => Promise.all(followed.map((stopFollowing) => stopFollowing())));
  // In parallel: each may take seconds to finish its work.
  closing.push(() => Promise.all(running.map((service) => service.stop())));
  for (const definition of definitions) {
    const service = await startService(definition, logFolder);
    running.push(service);
    failures.push(service.failed);
    if (follow) followed.push(followLog(definition.name, service.logFile, follow));
  }
  await Promise.all(running.map((service) => service.healthy(signal)));
}

/** Stops everything in reverse order, even when one fails. @throws AggregateError of all failures. */
export async function closeAll(closing: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of closing.toReversed()) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, "Some parts could not be stopped.");
}
