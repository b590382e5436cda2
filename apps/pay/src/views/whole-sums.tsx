import type { ReactNode } from "react";

/** A number, with the code of its currency where one follows. */
const SUM = /(\d+(?:\.\d+)*(?: [A-Z][A-Z0-9]{1,9}\b)?)/;

/**
 * A text whose sums stay whole: `41.50 EUR` goes to the next line as one. Where even a line of its own is too short for
 * it, the currency goes below; the digits are never parted.
 */
export function WholeSums({ children: text }: { children: string }): ReactNode {
  return text.split(SUM).map((part, index) =>
    // What was captured stands at the odd places.
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name, and are drawn once.
      <span key={index} className="sum">
        {part}
      </span>
    ),
  );
}
