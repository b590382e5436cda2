import cluster from "node:cluster";
import { reasonOf } from "@tillgate/service";
import type { Registry } from "prom-client";
import { type FromForked, readFromPrimary } from "./messages.js";

/** Tells the process that forked this one. Does nothing when that one is gone: then this one ends too. */
export function notifyPrimary(message: FromForked): void {
  process.send?.(message, undefined, undefined, () => undefined);
}

/** Says why this process must not run. The primary says it once for all, and ends; this process ends with it. */
export function delegateToPrimary(error: unknown): Promise<never> {
  notifyPrimary({ tillgate: "refused", reason: reasonOf(error) });
  return new Promise(() => undefined);
}

/** When the process that forked this one is gone, also by SIGKILL, this one ends as at SIGTERM. */
export function endWithPrimary(): void {
  const { worker } = cluster;
  worker?.once("disconnect", () => {
    // Else Node would end it at once, with requests under way.
    worker.exitedAfterDisconnect = true;
    process.kill(process.pid, "SIGTERM");
  });
}

/** Gives this process's figures to the one that forked it, whenever it asks. */
export function sendMetrics(registry: Registry): void {
  process.on("message", (message) => {
    const asked = readFromPrimary(message);
    if (!asked) return;
    registry.getMetricsAsJSON().then(
      (figures) => notifyPrimary({ tillgate: "figures", id: asked.id, figures }),
      // The primary hears nothing in time, and says so to who asked it.
      () => undefined,
    );
  });
}
