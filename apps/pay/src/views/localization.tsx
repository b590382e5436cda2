import { createContext, type ReactNode, useContext } from "react";
import type { LegalAddresses, PageLocale } from "#http/page-locale.ts";
import { splitAmounts } from "#texts/formats.ts";
import { createLocalization, englishLocalization, type Localization } from "#texts/localization.ts";

/** Texts of a page. `address` is the URL for the language switch; null if there is no view to return to. */
type PageTexts = { words: Localization; address: string | null; legal: LegalAddresses };

const TextsContext = createContext<PageTexts>({
  words: englishLocalization,
  address: null,
  legal: { terms: null, privacy: null },
});

export function TextsProvider({
  locale,
  address,
  legal,
  children,
}: Omit<PageLocale, "address"> & { address: string | null; children: ReactNode }): ReactNode {
  return (
    <TextsContext.Provider value={{ words: createLocalization(locale), address, legal }}>
      {children}
    </TextsContext.Provider>
  );
}

/** Returns the texts and formats of the page's locale; English outside a `TextsProvider`. */
export const useLocalization = (): Localization => useContext(TextsContext).words;

export const useAddress = (): string | null => useContext(TextsContext).address;

export const useLegal = (): LegalAddresses => useContext(TextsContext).legal;

/** Renders a text in which amounts never wrap and keep their direction in right-to-left text. */
export function NoWrapAmounts({ children: text }: { children: string }): ReactNode {
  return splitAmounts(text).map((part, index) =>
    part.isAmount ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key, and are rendered once.
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
  placeholder: string;
  children: ReactNode;
};

/** Renders a text with an element in place of one placeholder, whose position depends on the language. */
export function Phrase({ text, placeholder, children }: PhraseProps): ReactNode {
  const [before = "", after = ""] = text.split(`{${placeholder}}`);
  return (
    <>
      <NoWrapAmounts>{before}</NoWrapAmounts>
      {children}
      <NoWrapAmounts>{after}</NoWrapAmounts>
    </>
  );
}

/** Renders a time in UTC, and the page's script then converts it to the visitor's time zone. */
export function LocalTime({ time, testId }: { time: string; testId?: string }): ReactNode {
  const { moment, locale } = useLocalization();
  return (
    <time dateTime={time} data-testid={testId} data-local-time={locale.tag}>
      {moment(time)}
    </time>
  );
}
