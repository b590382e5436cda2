import { MAX_IDENTIFIER_LENGTH } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { Notice } from "../notice";
import { isAboutFields } from "./notice-box";
import { PinField } from "./pin-field";
import { useWords } from "./use-words";

/** The fields of a sign-in: phone or e-mail, PIN, and whether to stay signed in. */
export function SignInFields({ notice }: { notice: Notice | null }): ReactNode {
  const { texts } = useWords();
  const wrong = isAboutFields(notice);
  const identifier = notice?.identifier ?? "";
  const wrongPhone = notice?.code === "phone_without_country";
  return (
    <>
      <label htmlFor="identifier">{texts.signIn.identifier}</label>
      <input
        id="identifier"
        name="identifier"
        type="text"
        inputMode="email"
        // A number or an address reads from left to right in every language.
        dir="ltr"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={MAX_IDENTIFIER_LENGTH}
        required
        defaultValue={identifier}
        data-testid="pay-sign-in-identifier"
        aria-invalid={wrong || undefined}
        aria-describedby={wrong ? "notice" : undefined}
        // biome-ignore lint/a11y/noAutofocus: after a refused sign-in the field to correct is the one thing to do.
        autoFocus={wrong && (identifier === "" || wrongPhone)}
      />
      <PinField
        label={texts.signIn.pin}
        testId="pay-sign-in-pin"
        wrong={wrong && !wrongPhone}
        focus={identifier !== ""}
      />
      <label className="choice" htmlFor="stay">
        <input id="stay" name="stay" type="checkbox" data-testid="pay-stay-signed-in" />
        <span>
          {texts.signIn.stay} <span className="hint">{texts.signIn.stayHint}</span>
        </span>
      </label>
    </>
  );
}
