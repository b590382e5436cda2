import { Fragment, type ReactNode } from "react";

export type PhraseProps = {
  /** A text of the catalogue with one `{merchant}` in it. */
  text: string;
  merchant: string;
  testId?: string;
};

/** A text in which the merchant's name is a separate element, wherever the sentence puts it. */
export function Phrase({ text, merchant, testId }: PhraseProps): ReactNode {
  const name = <span data-testid={testId}>{merchant}</span>;
  const [before = "", after = ""] = text.split("{merchant}");
  return (
    <Fragment>
      {before}
      {name}
      {after}
    </Fragment>
  );
}
