import type { ReactNode } from "react";
import { WholeSums } from "./whole-sums";

export type PhraseProps = {
  /** A text of the catalogue with the place in it, once. */
  text: string;
  place: string;
  /** What stands at the place. */
  children: ReactNode;
};

/** A text in which one place is an element, wherever the sentence of a language puts it. */
export function Phrase({ text, place, children }: PhraseProps): ReactNode {
  const [before = "", after = ""] = text.split(`{${place}}`);
  return (
    <>
      <WholeSums>{before}</WholeSums>
      {children}
      <WholeSums>{after}</WholeSums>
    </>
  );
}
