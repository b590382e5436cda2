/** Node's codes for failed or broken connections. */
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
 * SQLSTATEs other than those of a failover: insufficient resources (53: connections, disk, memory), operator intervention (57: a cancelled
 * statement), lock timeout, and deadlocks or serialization failures left after retries.
 */
const UNAVAILABLE_STATES = /^(53|57)|^(55P03|40001|40P01)$/;
/**
 * A database that is being restored, renamed or copied rejects new connections with this SQLSTATE. In a statement, this state is a bug, so it
 * counts only if the server also closed the connection.
 */
const CLOSED_TO_CONNECTIONS = "55000";
/** Busy, disk full, I/O error, or file cannot be opened. */
const SQLITE_CODES = /^SQLITE_(BUSY|FULL|IOERR|CANTOPEN)/;
/** Unreachable, timeouts, closed connection, pool exhausted, transaction not started in time, write conflict. */
const PRISMA_CODES = new Set(["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2034"]);
/** Timeouts and a closed pool have no code. */
const WAITING_TEXTS =
  /^(timeout exceeded when trying to connect|timeout expired|query read timeout|cannot use a pool after calling end)/i;
/** Thrown by the pool when no connection became free. */
const POOL_EMPTY_TEXT = /^timeout exceeded when trying to connect/i;
/** Thrown by the driver; a lost connection has no code. */
const BROKEN_TEXTS =
  /^(connection terminated|client has encountered a connection error|connection error:|server has closed the connection)/i;
/** Values of `kind` in the Prisma adapter's error. */
const ADAPTER_KINDS = new Set([
  "DatabaseNotReachable",
  "ConnectionClosed",
  "SocketTimeout",
  "TooManyConnections",
  "TransactionWriteConflict",
]);
/**
 * SQLSTATEs of PostgreSQL or a pooler: connection lost (08; 08007: commit unknown), server shutting down, crashed or starting (57P01 to 57P03), or
 * read-only standby.
 */
const FAILOVER_STATES = /^(08...|57P0[123]|25006)$/;
const DEEPEST_CAUSE = 5;

/**
 * Returns whether the database is down, restarting, frozen, busy, or out of connections or disk space. Whether the failed call was committed is
 * unknown.
 */
export const isUnavailable = (error: unknown): boolean => someInChain(error, isUnavailableError);

/**
 * Returns whether an error indicates a failover, after which a retry may soon succeed. Whether the call was committed is unknown, so only
 * idempotent calls are retried.
 */
export const isFailover = (error: unknown): boolean => someInChain(error, isFailoverError);

export const isDiskFull = (error: unknown): boolean =>
  someInChain(error, (link) => getCode(link) === "53100" || getCode(link) === "SQLITE_FULL");

/** Returns whether the database or its pool has no free connections. */
export const isOutOfConnections = (error: unknown): boolean => someInChain(error, hasNoConnectionLeft);

function hasNoConnectionLeft(error: object): boolean {
  const code = getCode(error);
  if (code !== undefined) return code === "53300" || code === "P2024";
  return (
    getText(error, "kind") === "TooManyConnections" || POOL_EMPTY_TEXT.test(getText(error, "message") ?? "")
  );
}

function someInChain(error: unknown, predicate: (error: object) => boolean): boolean {
  let current: unknown = error;
  for (let depth = 0; depth < DEEPEST_CAUSE && typeof current === "object" && current !== null; depth += 1) {
    if (predicate(current)) return true;
    current = getCause(current);
  }
  return false;
}

const getCode = (error: object): string | undefined =>
  getText(error, "code") ?? getText(error, "originalCode");

function isFailoverError(error: object): boolean {
  const code = getCode(error);
  if (code === undefined) {
    // A refused connection to a host with several addresses is an AggregateError.
    if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isFailover);
    return BROKEN_TEXTS.test(getText(error, "message") ?? "");
  }
  return FAILOVER_STATES.test(code) || NETWORK_CODES.has(code);
}

function isUnavailableError(error: object): boolean {
  if (isFailoverError(error)) return true;
  const code = getCode(error);
  if (code === CLOSED_TO_CONNECTIONS) return getText(error, "severity") === "FATAL";
  if (
    code !== undefined &&
    (PRISMA_CODES.has(code) || UNAVAILABLE_STATES.test(code) || SQLITE_CODES.test(code))
  )
    return true;
  // A failed connection with another code, such as to a missing Unix socket. A missing file does not count.
  if (code !== undefined && getText(error, "syscall") === "connect") return true;
  if (ADAPTER_KINDS.has(getText(error, "kind") ?? "")) return true;
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isUnavailable);
  return code === undefined && WAITING_TEXTS.test(getText(error, "message") ?? "");
}

/** Returns the cause of an error. Prisma stores the driver's error in `meta`, other libraries store it in `cause`. */
function getCause(error: object): unknown {
  const meta: unknown = Reflect.get(error, "meta");
  const driver =
    typeof meta === "object" && meta !== null ? Reflect.get(meta, "driverAdapterError") : undefined;
  return driver ?? Reflect.get(error, "cause");
}

function getText(value: object, key: string): string | undefined {
  const text: unknown = Reflect.get(value, key);
  return typeof text === "string" ? text : undefined;
}
