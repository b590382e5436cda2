import { readFileSync } from "node:fs";

const PARENT_POLL_MS = 1_000;

/**
 * Ctrl-C in a terminal reaches us twice, from the terminal and through npm: the first signal counts, later ones
 * change nothing. An npm that is killed can pass on nothing, and one that is asked to end may only tell its
 * shell, so their disappearance counts too.
 */
export function endOnSignal(): AbortSignal {
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => ending.abort());
  if (process.env.npm_lifecycle_event !== undefined) {
    const starters = parents();
    setInterval(() => {
      if (parents() !== starters) ending.abort();
    }, PARENT_POLL_MS).unref();
  }
  return ending.signal;
}

/** Our parent, and its parent where the system tells: npm may start us through a shell. */
function parents(): string {
  const parent = process.ppid;
  try {
    const status = readFileSync(`/proc/${parent}/stat`, "utf8");
    // After the program's name in brackets: state, parent …
    const [, grandparent] = status.slice(status.lastIndexOf(")") + 2).split(" ");
    return `${parent} ${grandparent}`;
  } catch {
    return String(parent);
  }
}

/** Settles when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
