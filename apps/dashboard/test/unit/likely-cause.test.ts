import { LIKELY_CAUSES } from "@tillgate/contract";
import { expect, it } from "vitest";
import { causeIn } from "../../src/texts/likely-cause";
import { translator } from "../../src/texts/texts";

const [english, french] = [translator("en"), translator("fr")];

it("words every likely cause in the reader's language, with the status that it tells", () => {
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

it("keeps a sentence that it does not know", () => {
  expect(causeIn(french, "The receiver sings.")).toBe("The receiver sings.");
});
