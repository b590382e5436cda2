import { describe, expect, it } from "vitest";
import { findWords } from "../../lint/find-words.mjs";

describe("lint refuses a word that is not plain English", () => {
  it.each([
    ["a comment of TypeScript", "x.ts", "const a = 1;\n// Made anew.\n", 2, "anew"],
    ["a documentation comment", "x.ts", "/**\n * Says whoever it is.\n */\nconst a = 1;\n", 2, "whoever"],
    ["a comment at the end of a line", "x.mjs", "const a = [\n  1, // Whoever asks.\n];\n", 2, "whoever"],
    ["a comment of a view", "x.tsx", "const a = (\n  <p>{/* What came of it. */}</p>\n);\n", 2, "came of it"],
    ["two lines of one comment", "x.ts", "// The shopper is\n// told.\nconst a = 1;\n", 1, "is told"],
    ["a comment of PHP", "x.php", "<?php\n$a = 'one'; // They are told.\n", 2, "are told"],
    ["a comment of SQL", "x.sql", "SELECT 'one';\n-- Whoever\n-- asks.\n", 2, "whoever"],
    ["a comment of a style sheet", "x.css", "a {\n  /* Drawn anew. */\n}\n", 2, "anew"],
    ["a document", "x.md", "# Title\n\nThe caller is told.\n", 3, "is told"],
  ])("in %s", (_, file, text, line, word) => {
    expect(findWords(file, text)).toEqual([{ file, line, word }]);
  });
});

describe("lint passes", () => {
  it.each([
    ["texts of TypeScript", "x.ts", 'const a = "Whoever asked is told // anew"; const b = `\n// anew`;\n'],
    ["what a view shows", "x.tsx", "const a = <p>It's // told anew, whoever asks</p>;\n"],
    ["texts of PHP", "x.php", "<?php __('It\\'s paid anew // whoever', \"is told # anew\");\n"],
    ["texts of SQL", "x.sql", "SELECT 'paid anew -- whoever';\n"],
    ["plain comments and names", "x.ts", "// The caller gets a new answer by itself.\nconst anew = 1;\n"],
    ["plain documents", "x.md", "A new order. The caller gets the reason.\n"],
    ["files of another kind", "x.json", '{ "about": "whoever is told" }'],
  ])("%s", (_, file, text) => {
    expect(findWords(file, text)).toEqual([]);
  });
});
