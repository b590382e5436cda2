import { PrismaPg } from "@prisma/adapter-pg";
import { surviveBrokenConnections } from "@tillgate/service/postgres";
import pg from "pg";
import { PrismaClient } from "./generated/prisma/client.js";
import { applyRoleLimits, runOnce } from "./role-limits.js";
import { SyncCommitClient, UnnamedStatementClient } from "./sync-commit-client.js";

export type DatabaseOptions = {
  url: string;
  /**
   * URL that bypasses the pooler in `url`. If set, the limits are set on the role, because a client's settings do not reach the pooler's
   * connections.
   */
  directUrl?: string | undefined;
  /** Maximum number of connections of this process. */
  maxConnections: number;
  /** Maximum wait for a free connection. */
  connectTimeoutMs: number;
  statementTimeoutMs: number;
  /** Whether to use named prepared statements; off for poolers without support. Default: on. */
  namedStatements?: boolean;
  /** Called for connections that break while idle; the pool replaces them. */
  onIdleError: (error: Error) => void;
};

/** One pool, used by Prisma and, for the calls that move money, directly. */
export type Database = {
  prisma: PrismaClient;
  pool: pg.Pool;
  close(): Promise<void>;
};

const INT8_OID = 20;
/** An abandoned transaction would hold its locks and stall the event lists. */
const IDLE_IN_TRANSACTION_MS = 60_000;
/** Margin of the client's query timeout over the server's statement timeout. */
const RESPONSE_MARGIN_MS = 5_000;

/** Parses `bigint` columns as `bigint`, so that money never passes through a float. Prisma has its own parsers. */
const exactIntegers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8_OID && format !== "binary"
      ? BigInt
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** Opens the database. A connection is opened only for the first query. */
export function openDatabase(options: DatabaseOptions): Database {
  const { directUrl } = options;
  const limits = {
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
  const limited = runOnce(async () =>
    directUrl === undefined ? undefined : applyRoleLimits(directUrl, limits),
  );
  const pool = new pg.Pool({
    Client: options.namedStatements === false ? UnnamedStatementClient : SyncCommitClient,
    connectionString: options.url,
    max: options.maxConnections,
    connectionTimeoutMillis: options.connectTimeoutMs,
    ...(directUrl === undefined ? limits : {}),
    // A frozen or unreachable server cannot enforce the statement timeout.
    query_timeout: options.statementTimeoutMs + RESPONSE_MARGIN_MS,
    keepAlive: true,
    types: exactIntegers,
    application_name: "tillgate",
    // Prisma's adapter drops the UTC offset, which would shift times on servers in another time zone.
    onConnect: async (client) => {
      await limited();
      await client.query("SET TIME ZONE 'UTC'");
    },
  });
  surviveBrokenConnections(pool, options.onIdleError);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }) });
  return {
    prisma,
    pool,
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
