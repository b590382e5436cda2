import { readFileSync } from "node:fs";

const PARENT_POLL_MS = 1_000;

/**
 * Returns a signal that aborts on SIGINT, SIGTERM and SIGHUP. Under npm, it also aborts when npm or its shell exits, because a killed npm forwards no
 * signal and a terminated npm may signal only its shell.
 */
export function abortOnSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => controller.abort());
  if (process.env.npm_lifecycle_event !== undefined) {
    const ancestors = readAncestorIds();
    setInterval(() => {
      if (readAncestorIds() !== ancestors) controller.abort();
    }, PARENT_POLL_MS).unref();
  }
  return controller.signal;
}

/** Returns the parent's process ID and, on Linux, the grandparent's, because npm may start this process through a shell. */
function readAncestorIds(): string {
  const parent = process.ppid;
  try {
    const status = readFileSync(`/proc/${parent}/stat`, "utf8");
    // proc(5): after the command name in parentheses come state and ppid.
    const [, grandparent] = status.slice(status.lastIndexOf(")") + 2).split(" ");
    return `${parent} ${grandparent}`;
  } catch {
    return String(parent);
  }
}

export function waitForAbort(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
