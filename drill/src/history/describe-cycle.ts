import type { Calls } from "./calls.js";
import { type Cycle, REAL_TIME, type Step, WRITE_READ, WRITE_WRITE } from "./graph.js";
import type { Wallets } from "./wallets.js";

export function describeCycle({ steps, size }: Cycle, calls: Calls, wallets: Wallets): string {
  const nameOf = (call: number): string => `T${steps.findIndex(({ from }) => from === call) + 1}`;
  const explain = ({ from, to, kind, element }: Step): string => {
    if (kind === REAL_TIME) {
      const ms = calls.startOf(to) - calls.endOf(from);
      return `it completed ${ms.toFixed(3)} ms before ${nameOf(to)} was sent`;
    }
    const entry = wallets.describe(element);
    if (kind === WRITE_WRITE) return `${nameOf(to)} appended ${entry} directly after its entry`;
    if (kind === WRITE_READ) return `${nameOf(to)} read up to ${entry}`;
    return `it did not read ${entry}, which ${nameOf(to)} appended`;
  };
  const others = size > steps.length ? ` (the shortest among ${size} calls that contradict each other)` : "";
  return [
    `${steps.length} calls precede each other${others}`,
    ...steps.map(({ from }) => `  ${nameOf(from)} = ${calls.describe(from)}`),
    ...steps.map((step) => `  ${nameOf(step.from)} before ${nameOf(step.to)}: ${explain(step)}`),
  ].join("\n");
}
