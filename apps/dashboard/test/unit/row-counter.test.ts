import { expect, it } from "vitest";
import { createRowCounter } from "../../src/browser/export";

const count = (text: string, { quoted, size }: { quoted: boolean; size: number }) => {
  const { take, rows } = createRowCounter(quoted);
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) take(bytes.subarray(at, at + size));
  return rows();
};

it.each([
  ["no content", "", 0],
  ["a header only", "id,text\r\n", 0],
  ["rows", "id,text\r\n1,a\r\n2,b\r\n", 2],
  ["a text with line breaks and quotes", 'id,text\r\n1,"two\r\nlines, ""said"""\r\n2,b\r\n', 2],
  ["a truncated row", 'id,text\r\n1,a\r\n2,"b', 1],
])("createRowCounter counts the rows of a CSV file with %s, for any chunk size", (_, text, rows) => {
  for (const size of [1, 2, 5, 1_000]) expect(count(text, { quoted: true, size })).toBe(rows);
});

it("createRowCounter does not miss a JSON row if a string contains an unbalanced quote", () => {
  const text = `[\n${JSON.stringify({ text: 'one " quote' })},\n${JSON.stringify({ text: "b" })}\n]\n`;
  expect(count(text, { quoted: false, size: 3 })).toBeGreaterThanOrEqual(2);
});
