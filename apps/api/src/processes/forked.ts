import cluster from "node:cluster";
import { errorReason } from "@tillgate/service";
import type { Registry } from "prom-client";
import { type FromForked, readFromPrimary } from "./messages.js";

/** Sends a message to the primary. Does nothing if the primary is gone, because this process ends with it. */
export function notifyPrimary(message: FromForked): void {
  process.send?.(message, undefined, undefined, () => undefined);
}

/** Reports the error to the primary, which logs it once for all processes and exits. That also ends this process. */
export function failInPrimary(error: unknown): Promise<never> {
  notifyPrimary({ tillgate: "rejected", reason: errorReason(error) });
  return new Promise(() => undefined);
}

/** Shuts this process down, as SIGTERM would, if the primary exits, even if it was killed by SIGKILL. */
export function endWithPrimary(): void {
  const { worker } = cluster;
  worker?.once("disconnect", () => {
    // Otherwise Node would exit immediately, with requests in flight.
    worker.exitedAfterDisconnect = true;
    process.kill(process.pid, "SIGTERM");
  });
}

export function sendMetrics(registry: Registry): void {
  process.on("message", (message) => {
    const request = readFromPrimary(message);
    if (!request) return;
    registry.getMetricsAsJSON().then(
      (figures) => notifyPrimary({ tillgate: "figures", id: request.id, figures }),
      // On an error nothing is sent, and the primary reports the timeout.
      () => undefined,
    );
  });
}
