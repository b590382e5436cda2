/** The connection could not be made, or broke: Node's codes. */
const NETWORK_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);
/**
 * What PostgreSQL says when it cannot work now, by SQLSTATE, beside a failover: insufficient resources (53: connections used
 * up, disk full, out of memory), operator intervention (57: a cancelled statement), a lock that was not free in time, a
 * deadlock or a serialization failure that repeats could not end.
 */
const UNAVAILABLE_STATES = /^(53|57)|^(55P03|40001|40P01)$/;
/**
 * A database that is closed to connections (it is being restored, renamed, copied) refuses each new one by this state. From
 * a statement the same state is a bug, so it counts only when the server also ended the connection.
 */
const CLOSED_TO_CONNECTIONS = "55000";
/** SQLite: another process writes for too long, the disk is full or broken, the file cannot be opened. */
const SQLITE_CODES = /^SQLITE_(BUSY|FULL|IOERR|CANTOPEN)/;
/** Prisma: not reachable, not reachable in time, timed out, closed the connection, no connection free, no transaction begun in time, conflict. */
const PRISMA_CODES = new Set(["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2034"]);
/** What the driver and its pool say without a code: no answer in time. */
const WAITING_TEXTS =
  /^(timeout exceeded when trying to connect|timeout expired|query read timeout|cannot use a pool after calling end)/i;
/** What the pool says without a code when none of its connections became free. */
const POOL_EMPTY_TEXT = /^timeout exceeded when trying to connect/i;
/** What the driver says without a code: the connection is gone. */
const BROKEN_TEXTS =
  /^(connection terminated|client has encountered a connection error|connection error:|server has closed the connection)/i;
/** What Prisma's adapter calls these, in the `kind` of its error's cause. */
const ADAPTER_KINDS = new Set([
  "DatabaseNotReachable",
  "ConnectionClosed",
  "SocketTimeout",
  "TooManyConnections",
  "TransactionWriteConflict",
]);
/**
 * What PostgreSQL and a pooler in front of it say while one server takes over from another: the connection is gone (08; 08007
 * says that nobody knows of the commit), the server shuts down or crashed or starts (57P01 to 57P03), and it is a standby now.
 */
const FAILOVER_STATES = /^(08...|57P0[123]|25006)$/;
/** An error names its cause, that one its own …: no chain is followed further. */
const DEEPEST_CAUSE = 5;

/**
 * Whether an error means that the database cannot answer now (away, restarting, frozen, out of connections, or too busy),
 * and not a fault of the request or the books. The same call may succeed later. It is unknown whether it was committed.
 */
export const isUnavailable = (error: unknown): boolean => inChain(error, saysUnavailable);

/**
 * Whether the connection was lost as in a failover: another server may answer the same call in a moment. It is unknown whether
 * it was committed, so only a call that cannot do a thing twice is made again.
 */
export const isFailover = (error: unknown): boolean => inChain(error, saysFailover);

/** Whether the database has no room left on its disk. */
export const isDiskFull = (error: unknown): boolean =>
  inChain(error, (link) => codeOf(link) === "53100" || codeOf(link) === "SQLITE_FULL");

/** Whether the database, or the pool before it, has no connection free. */
export const isOutOfConnections = (error: unknown): boolean => inChain(error, saysOutOfConnections);

function saysOutOfConnections(error: object): boolean {
  const code = codeOf(error);
  if (code !== undefined) return code === "53300" || code === "P2024";
  return (
    textOf(error, "kind") === "TooManyConnections" || POOL_EMPTY_TEXT.test(textOf(error, "message") ?? "")
  );
}

/** Whether an error, or what caused it, says so. */
function inChain(error: unknown, says: (error: object) => boolean): boolean {
  let current: unknown = error;
  for (let depth = 0; depth < DEEPEST_CAUSE && typeof current === "object" && current !== null; depth += 1) {
    if (says(current)) return true;
    current = causeOf(current);
  }
  return false;
}

const codeOf = (error: object): string | undefined => textOf(error, "code") ?? textOf(error, "originalCode");

function saysFailover(error: object): boolean {
  const code = codeOf(error);
  if (code === undefined) {
    // A refused connection to a name with several addresses is one error with the others inside.
    if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isFailover);
    return BROKEN_TEXTS.test(textOf(error, "message") ?? "");
  }
  return FAILOVER_STATES.test(code) || NETWORK_CODES.has(code);
}

function saysUnavailable(error: object): boolean {
  if (saysFailover(error)) return true;
  const code = codeOf(error);
  if (code === CLOSED_TO_CONNECTIONS) return textOf(error, "severity") === "FATAL";
  if (
    code !== undefined &&
    (PRISMA_CODES.has(code) || UNAVAILABLE_STATES.test(code) || SQLITE_CODES.test(code))
  )
    return true;
  // Such as a socket in the file system that is not there; a file that is missing is another matter.
  if (code !== undefined && textOf(error, "syscall") === "connect") return true;
  if (ADAPTER_KINDS.has(textOf(error, "kind") ?? "")) return true;
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isUnavailable);
  return code === undefined && WAITING_TEXTS.test(textOf(error, "message") ?? "");
}

/** Prisma keeps the driver's error in `meta`, others in `cause`. */
function causeOf(error: object): unknown {
  const meta: unknown = Reflect.get(error, "meta");
  const driver =
    typeof meta === "object" && meta !== null ? Reflect.get(meta, "driverAdapterError") : undefined;
  return driver ?? Reflect.get(error, "cause");
}

function textOf(value: object, key: string): string | undefined {
  const text: unknown = Reflect.get(value, key);
  return typeof text === "string" ? text : undefined;
}
