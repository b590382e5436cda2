import type { ReactNode } from "react";
import { partsOf } from "../texts/formats";

/**
 * A text whose sums stay whole: an amount goes to the next line as one, and keeps its own direction among words that run
 * from right to left.
 */
export function WholeSums({ children: text }: { children: string }): ReactNode {
  return partsOf(text).map((part, index) =>
    part.isSum ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name, and are drawn once.
      <bdi key={index} className="sum">
        {part.text}
      </bdi>
    ) : (
      part.text
    ),
  );
}
