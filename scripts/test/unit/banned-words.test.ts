import { describe, expect, it } from "vitest";
import { findWords } from "../../lint/find-words.mjs";

const found = (file: string, text: string) => findWords(file, text).map(({ line, word }) => [line, word]);

describe("lint rejects a word that this repository does not use", () => {
  it.each([
    ["a comment", "x.ts", "const a = 1;\n// Made anew.\n", 2, "anew"],
    ["a name", "x.ts", "keysOfNobody();\n", 1, "keysofnobody"],
    ["a document", "x.md", "# Title\n\nWhoever asks.\n", 3, "whoever"],
    ["a text for people", "apps/pay/src/texts/en.ts", 'a: "10 EUR too little"\n', 1, "too little"],
    ["a Portuguese text", "apps/pay/src/texts/pt.ts", 'a: "neste ecrã"\n', 1, "ecrã"],
  ])("in %s", (_, file, text, line, word) => {
    expect(found(file, text)).toEqual([[line, word]]);
  });
});

describe("lint passes", () => {
  it.each([
    ["words that only texts for people avoid", "x.ts", "// The wallet holds too little.\n"],
    ["a part of a word", "x.ts", "renewAnewal();\n"],
    ["plain texts", "apps/dashboard/src/texts/en/home.ts", '"a": "You’ve reached the limit."\n'],
  ])("%s", (_, file, text) => {
    expect(found(file, text)).toEqual([]);
  });
});
