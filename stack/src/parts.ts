import { open, stat } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import { type ServiceDefinition, type ServiceProcess, startService } from "./service-process.js";
import type { StackError } from "./stack-error.js";

const POLL_MS = 200;

/**
 * Prints what is added to a log file, each line with the service's name before it.
 * @returns how to stop following; it prints what is left first.
 */
function followLog(name: string, logFile: string, print: (line: string) => void): () => Promise<void> {
  let position = 0;
  let unfinished = "";
  // A read may end in the middle of a character.
  const decoder = new StringDecoder("utf8");
  let reading: Promise<void> = Promise.resolve();
  const readOn = async () => {
    const found = await stat(logFile).catch(() => undefined);
    if (!found || found.size <= position) return;
    const file = await open(logFile, "r");
    try {
      const { buffer, bytesRead } = await file.read({
        buffer: Buffer.alloc(found.size - position),
        position,
      });
      position += bytesRead;
      const lines = (unfinished + decoder.write(buffer.subarray(0, bytesRead))).split("\n");
      unfinished = lines.pop() ?? "";
      for (const line of lines) print(`${name.padEnd(10)} ${line}`);
    } finally {
      await file.close();
    }
  };
  const timer = setInterval(() => {
    reading = reading.then(readOn);
  }, POLL_MS);
  return async () => {
    clearInterval(timer);
    await reading;
    await readOn();
  };
}

/** What has been started, and how it ends. */
export type Parts = {
  /** How each is ended, in the order of starting. */
  closing: (() => Promise<unknown>)[];
  /** Each settles when its program ends unasked. */
  failures: Promise<StackError>[];
};

type StartServices = {
  logFolder: string;
  signal: AbortSignal;
  /** Shows their logs, line by line. */
  follow?: ((line: string) => void) | undefined;
};

/** Starts services and waits until all are healthy. @throws StackError for one that is not. */
export async function startServices(
  definitions: readonly ServiceDefinition[],
  { logFolder, signal, follow }: StartServices,
  { closing, failures }: Parts,
): Promise<void> {
  const running: ServiceProcess[] = [];
  const followed: (() => Promise<void>)[] = [];
  closing.push(() => Promise.all(followed.map((stopFollowing) => stopFollowing())));
  // All at once: each may need some seconds to finish what it does.
  closing.push(() => Promise.all(running.map((service) => service.stop())));
  for (const definition of definitions) {
    const service = await startService(definition, logFolder);
    running.push(service);
    failures.push(service.failed);
    if (follow) followed.push(followLog(definition.name, service.logFile, follow));
  }
  await Promise.all(running.map((service) => service.healthy(signal)));
}

/** In reverse order; one that fails does not keep the others from being ended. */
export async function closeAll(closing: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of closing.toReversed()) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, "Not all could be ended.");
}
