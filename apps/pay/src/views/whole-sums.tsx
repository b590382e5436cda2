import type { ReactNode } from "react";

/** A number, with the code of its currency where one follows. */
const NUMBER = /(\d+(?:\.\d+)*(?: [A-Z][A-Z0-9]{1,9}\b)?)/;

/** The parts of a text, with sums apart from the rest. A sum has decimals or a currency; other numbers are like words. */
function partsOf(text: string): { text: string; isSum: boolean }[] {
  const parts: { text: string; isSum: boolean }[] = [];
  for (const [index, part] of text.split(NUMBER).entries()) {
    // Captured parts are at the odd places.
    const isSum = index % 2 === 1 && /[. ]/.test(part);
    const last = parts.at(-1);
    if (last && !last.isSum && !isSum) last.text += part;
    else parts.push({ text: part, isSum });
  }
  return parts;
}

/**
 * A text whose sums stay whole: `41.50 EUR` goes to the next line as one. If a whole line is too short for it, the currency
 * goes below; the digits are never parted.
 */
export function WholeSums({ children: text }: { children: string }): ReactNode {
  return partsOf(text).map((part, index) =>
    part.isSum ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name, and are drawn once.
      <span key={index} className="sum">
        {part.text}
      </span>
    ) : (
      part.text
    ),
  );
}
