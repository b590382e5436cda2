import { describe, expect, it } from "vitest";
import { findWords } from "../../lint/find-words.mjs";

const found = (file: string, text: string) => findWords(file, text).map(({ line, word }) => [line, word]);

describe("lint for banned words", () => {
  it.each([
    ["a comment", "x.ts", "const a = 1;\n// Made anew.\n", 2, "anew"],
    ["a name", "x.ts", "keysOfNobody();\n", 1, "keysofnobody"],
    ["a document", "x.md", "# Title\n\nWhoever asks.\n", 3, "whoever"],
    ["a text on a screen", "apps/pay/src/texts/en.ts", 'a: "10 EUR too little"\n', 1, "too little"],
    ["a Portuguese text", "apps/pay/src/texts/pt.ts", 'a: "neste ecrã"\n', 1, "ecrã"],
  ])("rejects a banned word in %s", (_, file, text, line, word) => {
    expect(found(file, text)).toEqual([[line, word]]);
  });
});

describe("lint for banned words", () => {
  it.each([
    ["words that are banned only on screens", "x.ts", "// The wallet holds too little.\n"],
    ["a part of a word", "x.ts", "renewAnewal();\n"],
    ["plain texts", "apps/dashboard/src/texts/en/home.ts", '"a": "You’ve reached the limit."\n'],
  ])("accepts %s", (_, file, text) => {
    expect(found(file, text)).toEqual([]);
  });
});
