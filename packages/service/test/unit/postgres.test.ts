import { expect, it } from "vitest";
import { z } from "zod";
import { firstRowOf, oneRowOf, parseRows, rowsOf } from "../../src/postgres.js";

const SECRET = "tgs_a-secret-value";
const reader = z.object({ id: z.bigint(), token: z.string() });
const answering = (...rows: unknown[]) => ({ query: async () => ({ rows }) });
const row = { id: 7n, token: SECRET };

const messageOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => "no error",
    (error: Error) => `${error.message} ${JSON.stringify(error, Object.getOwnPropertyNames(error))}`,
  );

it("reads rows by their schema, without the columns that it does not name", async () => {
  const asked = rowsOf(answering({ ...row, other: 1 }, { ...row, id: 8n }), reader, "SELECT *");
  expect(await asked).toEqual([row, { ...row, id: 8n }]);
});

it("sends values with a text, and a prepared statement as it is", async () => {
  const sent: unknown[][] = [];
  const query = async (...asked: unknown[]) => {
    sent.push(asked);
    return { rows: [] };
  };
  await rowsOf({ query }, reader, "SELECT $1", [1]);
  const prepared = { name: "one", text: "SELECT $1", values: [1] };
  await rowsOf({ query }, reader, prepared);
  expect(sent).toEqual([
    ["SELECT $1", [1]],
    [prepared, undefined],
  ]);
});

it.each([
  ["a missing column", { id: 7n }, "token"],
  ["null", { id: 7n, token: null }, "token"],
  ["another type", { id: SECRET, token: SECRET }, "id"],
])("names the column and the query of %s, and no value", async (_what, found, column) => {
  const text = "\n  SELECT id,\n    token FROM keys WHERE id = $1";
  const message = await messageOf(rowsOf(answering(row, found), reader, { text }, [SECRET]));
  expect(message).toContain("SELECT id, token FROM keys WHERE id = $1 answered a row of another shape");
  expect(message).toContain(`${column}: Invalid input`);
  expect(message).not.toContain(SECRET);
});

it("names a prepared statement by its name", async () => {
  const asked = rowsOf(answering({}), reader, { name: "keys of a client", text: "SELECT" });
  await expect(asked).rejects.toThrow("keys of a client answered a row of another shape");
});

it("names where a JSON column is wrong", () => {
  const nested = z.object({ lines: z.array(z.object({ pieces: z.int() })) });
  expect(() => parseRows(nested, [{ lines: [{ pieces: 1 }, { pieces: SECRET }] }])).toThrow(
    /^A query answered .* lines\.1\.pieces: (?!.*tgs_)/,
  );
});

it("passes on an error that is not about the shape", async () => {
  const failed = new Error("the server is away");
  const queryable = { query: () => Promise.reject(failed) };
  await expect(rowsOf(queryable, reader, "SELECT 1")).rejects.toBe(failed);
});

it("answers the first row, or undefined", async () => {
  expect(await firstRowOf(answering(row, { ...row, id: 8n }), reader, "SELECT")).toEqual(row);
  expect(await firstRowOf(answering(), reader, "SELECT")).toBeUndefined();
});

it("answers the one row of a statement that always has one, and fails without", async () => {
  expect(await oneRowOf(answering(row), reader, "SELECT")).toEqual(row);
  await expect(oneRowOf(answering(), reader, "SELECT")).rejects.toThrow("returned none");
});
