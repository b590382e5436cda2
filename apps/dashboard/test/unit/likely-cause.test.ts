import { LIKELY_CAUSES } from "@tillgate/contract";
import { expect, it } from "vitest";
import { causeIn } from "../../src/texts/likely-cause";
import { translator } from "../../src/texts/texts";

const [english, french] = [translator("en"), translator("fr")];

it("likely causes are all translated, with their HTTP status", () => {
  for (const text of Object.values(LIKELY_CAUSES)) {
    const sentence = text.replace("{status}", "503");
    const said = text === LIKELY_CAUSES.web_page ? `${LIKELY_CAUSES.dns} ${sentence}` : sentence;
    expect(causeIn(english, said)).toBe(said);
    expect(causeIn(french, said)).not.toBe(said);
    expect(causeIn(french, said).includes("503")).toBe(text.includes("{status}"));
  }
  expect(causeIn(french, `${LIKELY_CAUSES.status_404} ${LIKELY_CAUSES.web_page}`)).toMatch(
    /^Il n’y a rien .*page web/,
  );
});

it("an unknown likely cause is shown unchanged", () => {
  expect(causeIn(french, "The receiver sings.")).toBe("The receiver sings.");
});
