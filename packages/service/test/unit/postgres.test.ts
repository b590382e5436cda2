import { expect, it } from "vitest";
import { z } from "zod";
import { parseRows, queryFirstRow, queryOneRow, queryRows } from "../../src/postgres.js";

const SECRET = "tgs_a-secret-value";
const reader = z.object({ id: z.bigint(), token: z.string() });
const answering = (...rows: unknown[]) => ({ query: async () => ({ rows }) });
const row = { id: 7n, token: SECRET };

const messageOf = (requested: Promise<unknown>): Promise<string> =>
  requested.then(
    () => "no error",
    (error: Error) => `${error.message} ${JSON.stringify(error, Object.getOwnPropertyNames(error))}`,
  );

it("queryRows parses rows by their schema and drops other columns", async () => {
  const requested = queryRows(answering({ ...row, other: 1 }, { ...row, id: 8n }), reader, "SELECT *");
  expect(await requested).toEqual([row, { ...row, id: 8n }]);
});

it("queryRows sends values with SQL text, and a prepared statement unchanged", async () => {
  const sent: unknown[][] = [];
  const query = async (...requested: unknown[]) => {
    sent.push(requested);
    return { rows: [] };
  };
  await queryRows({ query }, reader, "SELECT $1", [1]);
  const prepared = { name: "one", text: "SELECT $1", values: [1] };
  await queryRows({ query }, reader, prepared);
  expect(sent).toEqual([
    ["SELECT $1", [1]],
    [prepared, undefined],
  ]);
});

it.each([
  ["a missing column", { id: 7n }, "token"],
  ["null", { id: 7n, token: null }, "token"],
  ["a column of the wrong type", { id: SECRET, token: SECRET }, "id"],
])("queryRows reports the column and the query for %s, but no value", async (_what, found, column) => {
  const text = "\n  SELECT id,\n    token FROM keys WHERE id = $1";
  const message = await messageOf(queryRows(answering(row, found), reader, { text }, [SECRET]));
  expect(message).toContain(
    "SELECT id, token FROM keys WHERE id = $1 returned a row that does not match its schema",
  );
  expect(message).toContain(`${column}: Invalid input`);
  expect(message).not.toContain(SECRET);
});

it("queryRows includes the name of a prepared statement in its error", async () => {
  const requested = queryRows(answering({}), reader, { name: "keys of a client", text: "SELECT" });
  await expect(requested).rejects.toThrow("keys of a client returned a row that does not match its schema");
});

it("parseRows reports the path of an invalid value in a JSON column", () => {
  const nested = z.object({ lines: z.array(z.object({ pieces: z.int() })) });
  expect(() => parseRows(nested, [{ lines: [{ pieces: 1 }, { pieces: SECRET }] }])).toThrow(
    /^A query returned .* lines\.1\.pieces: (?!.*tgs_)/,
  );
});

it("queryRows rethrows the database's errors unchanged", async () => {
  const failed = new Error("the server is away");
  const queryable = { query: () => Promise.reject(failed) };
  await expect(queryRows(queryable, reader, "SELECT 1")).rejects.toBe(failed);
});

it("queryFirstRow returns the first row or undefined", async () => {
  expect(await queryFirstRow(answering(row, { ...row, id: 8n }), reader, "SELECT")).toEqual(row);
  expect(await queryFirstRow(answering(), reader, "SELECT")).toBeUndefined();
});

it("queryOneRow returns the row, and throws if there is none", async () => {
  expect(await queryOneRow(answering(row), reader, "SELECT")).toEqual(row);
  await expect(queryOneRow(answering(), reader, "SELECT")).rejects.toThrow("SELECT returned no row");
});
