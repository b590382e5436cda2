import { open, stat } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";

const POLL_MS = 200;

/**
 * Prints what is added to a log file, each line with the service's name before it.
 * @returns how to stop following; it prints what is left first.
 */
export function followLog(name: string, logFile: string, print: (line: string) => void): () => Promise<void> {
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
