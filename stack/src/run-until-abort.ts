import { waitForAbort } from "./abort-on-signal.js";
import { print, printFailure } from "./report.js";

type Running = { stop(): Promise<void> };

/**
 * Starts a system, runs it until the signal is aborted, and stops it.
 * @param start returns undefined if there is nothing to run, and throws if the signal is aborted in the meantime.
 * @returns the exit code: 1 if the system cannot be started or stopped, otherwise 0.
 */
export async function runUntilAbort(
  signal: AbortSignal,
  start: () => Promise<Running | undefined>,
): Promise<number> {
  let running: Running | undefined;
  try {
    running = await start();
    if (running === undefined) return 0;
    await waitForAbort(signal);
    print("Stopping…");
    await running.stop();
    print("Stopped.");
    return 0;
  } catch (error) {
    if (signal.aborted && running === undefined) {
      print("Stopped before startup finished.");
      return 0;
    }
    printFailure(error);
    return 1;
  }
}
