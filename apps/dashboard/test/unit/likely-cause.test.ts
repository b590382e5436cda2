import { LIKELY_CAUSES } from "@tillgate/contract";
import { expect, it } from "vitest";
import { translateCause } from "../../src/texts/likely-cause";
import { translator } from "../../src/texts/texts";

const [english, french] = [translator("en"), translator("fr")];

it("every likely cause is translated into French, and an HTTP status in it is unchanged", () => {
  for (const text of Object.values(LIKELY_CAUSES)) {
    const sentence = text.replace("{status}", "503");
    const said = text === LIKELY_CAUSES.web_page ? `${LIKELY_CAUSES.dns} ${sentence}` : sentence;
    expect(translateCause(english, said)).toBe(said);
    expect(translateCause(french, said)).not.toBe(said);
    expect(translateCause(french, said).includes("503")).toBe(text.includes("{status}"));
  }
  expect(translateCause(french, `${LIKELY_CAUSES.status_404} ${LIKELY_CAUSES.web_page}`)).toMatch(
    /^Il n’y a rien .*page web/,
  );
});

it("an unknown likely cause is shown unchanged", () => {
  expect(translateCause(french, "The receiver sings.")).toBe("The receiver sings.");
});
