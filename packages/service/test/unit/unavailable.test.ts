import { expect, it } from "vitest";
import { isDiskFull, isFailover, isOutOfConnections, isUnavailable } from "../../src/unavailable.js";

const failure = (fields: object, message = "failed") => Object.assign(new Error(message), fields);

it.each([
  ["a refused connection", failure({ code: "ECONNREFUSED", syscall: "connect" })],
  ["a missing Unix socket", failure({ code: "ENOENT", syscall: "connect" })],
  ["too many connections", failure({ code: "53300", severity: "FATAL" })],
  ["a server that is shutting down", failure({ code: "57P01", severity: "FATAL" })],
  ["a database closed to connections", failure({ code: "55000", severity: "FATAL" })],
  ["a lock timeout", failure({ code: "55P03", severity: "ERROR" })],
  ["a full SQLite disk", failure({ code: "SQLITE_FULL" })],
  ["a SQLite file locked by another process", failure({ code: "SQLITE_BUSY_SNAPSHOT" })],
  ["a pool without a free connection", failure({}, "timeout exceeded when trying to connect")],
  ["an error caused by a server that is starting", failure({ cause: failure({ code: "57P03" }) })],
  [
    "a host name whose addresses all refused the connection",
    new AggregateError([failure({ code: "ECONNREFUSED" })]),
  ],
])("isUnavailable accepts %s", (_what, error) => {
  expect(isUnavailable(error)).toBe(true);
});

it.each([
  ["a violated unique key", failure({ code: "23505", severity: "ERROR" })],
  ["SQLSTATE 55000 from a statement", failure({ code: "55000", severity: "ERROR" })],
  ["a missing file", failure({ code: "ENOENT", syscall: "open" })],
  ["a broken SQLite schema", failure({ code: "SQLITE_ERROR" })],
  ["a bug", new TypeError("x is not a function")],
  [
    "a host name with one address that refused the connection and another address that failed for another reason",
    new AggregateError([failure({ code: "ECONNREFUSED" }), new Error("x")]),
  ],
  ["undefined", undefined],
])("isUnavailable rejects %s", (_what, error) => {
  expect(isUnavailable(error)).toBe(false);
});

it.each([
  ["a refused connection", failure({ code: "ECONNREFUSED", syscall: "connect" })],
  ["a pooler whose server is gone", failure({ code: "08P01", severity: "FATAL" })],
  ["a commit with an unknown outcome", failure({ code: "08007" })],
  ["a server that is shutting down", failure({ code: "57P01", severity: "FATAL" })],
  ["a server that crashed", failure({ code: "57P02", severity: "FATAL" })],
  ["a server that is starting", failure({ code: "57P03", severity: "FATAL" })],
  ["a server that became a standby", failure({ code: "25006", severity: "ERROR" })],
  ["a connection that broke", failure({}, "Connection terminated unexpectedly")],
  [
    "a Prisma error caused by a server that is shutting down",
    failure({ meta: { driverAdapterError: failure({ cause: { originalCode: "57P01" } }) } }),
  ],
  [
    "a host name whose addresses all refused the connection",
    new AggregateError([failure({ code: "ECONNREFUSED" })]),
  ],
])("isFailover accepts %s", (_what, error) => {
  expect([isFailover(error), isUnavailable(error)]).toEqual([true, true]);
});

it.each([
  ["a cancelled statement", failure({ code: "57014", severity: "ERROR" })],
  ["too many connections", failure({ code: "53300", severity: "FATAL" })],
  ["a full disk", failure({ code: "53100", severity: "ERROR" })],
  ["a lock timeout", failure({ code: "55P03", severity: "ERROR" })],
  ["a pool without a free connection", failure({}, "timeout exceeded when trying to connect")],
  ["a late response", failure({}, "Query read timeout")],
])("isFailover rejects %s, but isUnavailable accepts it", (_what, error) => {
  expect([isFailover(error), isUnavailable(error)]).toEqual([false, true]);
});

it.each([
  ["a full disk", failure({ code: "53100" }), [true, false]],
  ["an error caused by a full disk", failure({ cause: failure({ code: "53100" }) }), [true, false]],
  ["too many connections", failure({ code: "53300" }), [false, true]],
  [
    "Prisma's error for too many connections",
    failure({ cause: { kind: "TooManyConnections" } }),
    [false, true],
  ],
  ["an exhausted connection pool", failure({}, "timeout exceeded when trying to connect"), [false, true]],
  ["a server that is out of memory", failure({ code: "53200" }), [false, false]],
  ["a server that is starting", failure({ code: "57P03" }), [false, false]],
])("isDiskFull and isOutOfConnections classify %s", (_what, error, expected) => {
  expect([isDiskFull(error), isOutOfConnections(error)]).toEqual(expected);
});
