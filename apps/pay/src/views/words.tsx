import { createContext, type ReactNode, useContext } from "react";
import type { Legal, Spoken } from "#http/page-locale.ts";
import { partsOf } from "#texts/formats.ts";
import { plainWords, type Words, wordsOf } from "#texts/words.ts";

/** The words of a page. The address of the view is for the switch of languages; null where there is no view to come back to. */
type Speech = { words: Words; address: string | null; legal: Legal };

const SpeechContext = createContext<Speech>({
  words: plainWords,
  address: null,
  legal: { terms: null, privacy: null },
});

/** Gives every view below the words of a locale. */
export function Speaking({
  locale,
  address,
  legal,
  children,
}: Omit<Spoken, "address"> & { address: string | null; children: ReactNode }): ReactNode {
  return (
    <SpeechContext.Provider value={{ words: wordsOf(locale), address, legal }}>
      {children}
    </SpeechContext.Provider>
  );
}

/** The words of the page's language; English where nobody asked for a page. */
export const useWords = (): Words => useContext(SpeechContext).words;

/** Where the switch of languages comes back to, or null. */
export const useAddress = (): string | null => useContext(SpeechContext).address;

/** Where the operator's terms and privacy policy are read. */
export const useLegal = (): Legal => useContext(SpeechContext).legal;

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

/** A point in time: the server draws it in UTC, since it knows no other zone; the script turns it into local time. */
export function Moment({ time, testId }: { time: string; testId?: string }): ReactNode {
  const { moment, locale } = useWords();
  return (
    <time dateTime={time} data-testid={testId} data-moment={locale.tag}>
      {moment(time)}
    </time>
  );
}
