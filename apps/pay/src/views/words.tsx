import { createContext, type ReactNode, useContext } from "react";
import type { Legal, Spoken } from "#http/page-locale.ts";
import { partsOf } from "#texts/formats.ts";
import { plainWords, type Words, wordsOf } from "#texts/words.ts";

/** Texts of a page. `address` is for the language switch; null if there is no view to return to. */
type Speech = { words: Words; address: string | null; legal: Legal };

const SpeechContext = createContext<Speech>({
  words: plainWords,
  address: null,
  legal: { terms: null, privacy: null },
});

/** Provides the texts of a locale to the views below. */
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

/** Texts in the page's language; English without a request. */
export const useWords = (): Words => useContext(SpeechContext).words;

/** Base address of the language switch, or null. */
export const useAddress = (): string | null => useContext(SpeechContext).address;

/** Addresses of the operator's terms and privacy policy. */
export const useLegal = (): Legal => useContext(SpeechContext).legal;

/** A text whose amounts never wrap, and keep their own direction in right-to-left text. */
export function WholeSums({ children: text }: { children: string }): ReactNode {
  return partsOf(text).map((part, index) =>
    part.isSum ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key, and are drawn once.
      <bdi key={index} className="sum">
        {part.text}
      </bdi>
    ) : (
      part.text
    ),
  );
}

export type PhraseProps = {
  /** Catalogue text that contains the placeholder once. */
  text: string;
  place: string;
  /** Replaces the placeholder. */
  children: ReactNode;
};

/** A text with an element in place of one placeholder, wherever the language puts it. */
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

/** A time: drawn in UTC by the server, then localized by the script. */
export function Moment({ time, testId }: { time: string; testId?: string }): ReactNode {
  const { moment, locale } = useWords();
  return (
    <time dateTime={time} data-testid={testId} data-moment={locale.tag}>
      {moment(time)}
    </time>
  );
}
