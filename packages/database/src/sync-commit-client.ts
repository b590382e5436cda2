import pg from "pg";

/** SQLSTATE `transaction_resolution_unknown`, of the class of connection errors. */
const RESOLUTION_UNKNOWN = "08007";
/** PostgreSQL's routine that warns when a commit stops waiting for its standby. Unlike the message, its name is not localized. */
const STANDBY_WAIT = "SyncRepWaitForLSN";

/** An operator cancelled the wait for the standby after a local commit. A failover can still lose the commit, so its outcome is unknown. */
export class UnknownCommitError extends Error {
  override readonly name = "UnknownCommitError";
  readonly code = RESOLUTION_UNKNOWN;
  constructor() {
    super("the commit's wait for the standby was cancelled");
  }
}

type Answered = (error: Error | null | undefined, result: unknown) => void;
const isCallback = (value: unknown): value is Answered => typeof value === "function";

const stripName = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "name" in value ? { ...value, name: "" } : value;

/** A connection that reports an {@link UnknownCommitError} instead of success if a commit's wait for its standby was cancelled. */
export class SyncCommitClient extends pg.Client {
  protected readonly sendsNames: boolean = true;
  #waitCancelled = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // The notice arrives before the query completes, and a connection runs one query at a time.
    this.on("notice", ({ routine }) => {
      if (routine === STANDBY_WAIT) this.#waitCancelled = true;
    });
  }

  #unknown(): UnknownCommitError | undefined {
    if (!this.#waitCancelled) return undefined;
    this.#waitCancelled = false;
    return new UnknownCommitError();
  }

  override query = ((...queryArguments: unknown[]) => {
    const sent = this.sendsNames ? queryArguments : queryArguments.map(stripName);
    const at = sent.findLastIndex(isCallback);
    const answered = sent[at];
    if (isCallback(answered))
      return super.query(
        ...(sent.with(at, (error: Error | null, result: unknown) => {
          const unknown = this.#unknown();
          answered(error ?? unknown, error || unknown ? undefined : result);
        }) as [never]),
      );
    const result: unknown = super.query(...(sent as [never]));
    // A cursor returns no promise; it only reads, and its commit is a separate query.
    if (!(result instanceof Promise)) return result;
    return result.then(
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

export class UnnamedStatementClient extends SyncCommitClient {
  protected override readonly sendsNames: boolean = false;
}
