import pg from "pg";

/** SQLSTATE `transaction_resolution_unknown`: of the class of broken connections, which says that nobody knows. */
const RESOLUTION_UNKNOWN = "08007";
/** Where PostgreSQL warns that a commit no longer waits for its standby. The text has the server's language, this has not. */
const STANDBY_WAIT = "SyncRepWaitForLSN";

/**
 * PostgreSQL wrote the commit here, and stopped waiting for the standby (an operator cancelled the statement). It answers as
 * if all was well, with a warning beside it. A failover may still undo the commit, so it counts as unknown, never as done.
 */
export class UnknownCommitError extends Error {
  override readonly name = "UnknownCommitError";
  readonly code = RESOLUTION_UNKNOWN;
  constructor() {
    super("the commit's wait for the standby was cancelled");
  }
}

type Answered = (error: Error | null | undefined, result: unknown) => void;
const isCallback = (value: unknown): value is Answered => typeof value === "function";

const withoutName = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "name" in value ? { ...value, name: "" } : value;

/** A connection that never says "done" about a commit which a failover may undo. */
export class SyncCommitClient extends pg.Client {
  /** Whether statements are prepared by name. */
  protected readonly sendsNames: boolean = true;
  #waitCancelled = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // The warning comes before the query's answer is complete, and a connection answers one query after the other.
    this.on("notice", ({ routine }) => {
      if (routine === STANDBY_WAIT) this.#waitCancelled = true;
    });
  }

  #unknown(): UnknownCommitError | undefined {
    if (!this.#waitCancelled) return undefined;
    this.#waitCancelled = false;
    return new UnknownCommitError();
  }

  override query = ((...asked: unknown[]) => {
    const sent = this.sendsNames ? asked : asked.map(withoutName);
    const at = sent.findLastIndex(isCallback);
    const answered = sent[at];
    if (isCallback(answered))
      return super.query(
        ...(sent.with(at, (error: Error | null, result: unknown) => {
          const unknown = this.#unknown();
          answered(error ?? unknown, error || unknown ? undefined : result);
        }) as [never]),
      );
    const answer: unknown = super.query(...(sent as [never]));
    // A cursor is no promise: it only reads, and its transaction's end is a query of its own.
    if (!(answer instanceof Promise)) return answer;
    return answer.then(
      (result: unknown) => {
        const unknown = this.#unknown();
        if (unknown) throw unknown;
        return result;
      },
      (error: unknown) => {
        this.#waitCancelled = false;
        throw error;
      },
    );
  }) as pg.Client["query"];
}

/** The same, and sends every statement without its name. */
export class UnnamedStatementClient extends SyncCommitClient {
  protected override readonly sendsNames: boolean = false;
}
