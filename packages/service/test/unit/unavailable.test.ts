import { expect, it } from "vitest";
import { isUnavailable } from "../../src/unavailable.js";

const failure = (fields: object, message = "failed") => Object.assign(new Error(message), fields);

it.each([
  ["a refused connection", failure({ code: "ECONNREFUSED", syscall: "connect" })],
  ["no socket in the file system", failure({ code: "ENOENT", syscall: "connect" })],
  ["too many connections", failure({ code: "53300", severity: "FATAL" })],
  ["a server that shuts down", failure({ code: "57P01", severity: "FATAL" })],
  ["a database closed to connections", failure({ code: "55000", severity: "FATAL" })],
  ["a lock that was not free in time", failure({ code: "55P03", severity: "ERROR" })],
  ["a full SQLite disk", failure({ code: "SQLITE_FULL" })],
  ["a SQLite file that another process holds", failure({ code: "SQLITE_BUSY_SNAPSHOT" })],
  ["a pool without a free connection", failure({}, "timeout exceeded when trying to connect")],
  ["what wraps one of these", failure({ cause: failure({ code: "57P03" }) })],
  ["all addresses of a name refused", new AggregateError([failure({ code: "ECONNREFUSED" })])],
])("%s says that the database is away", (_what, error) => {
  expect(isUnavailable(error)).toBe(true);
});

it.each([
  ["a unique key", failure({ code: "23505", severity: "ERROR" })],
  ["a statement's own 55000", failure({ code: "55000", severity: "ERROR" })],
  ["a missing file", failure({ code: "ENOENT", syscall: "open" })],
  ["a broken SQLite schema", failure({ code: "SQLITE_ERROR" })],
  ["a bug", new TypeError("x is not a function")],
  [
    "some addresses failing for another reason",
    new AggregateError([failure({ code: "ECONNREFUSED" }), new Error("x")]),
  ],
  ["nothing", undefined],
])("%s does not", (_what, error) => {
  expect(isUnavailable(error)).toBe(false);
});
