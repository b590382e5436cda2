import { createContext, type ReactNode, useContext } from "react";
import type { Legal, Spoken } from "../http/page-locale";
import { plainWords, type Words, wordsOf } from "../texts/words";

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
