import { asRole } from "@tillgate/migrate";

/** A primary and its standbys, as seen by the programs that use them. */
export type Databases<
  Server extends { name: string; postgresPort: number } = { name: string; postgresPort: number },
> = {
  readonly nodes: readonly Server[];
  superuserPassword: string;
  /** File of the authority that signed the servers' certificates; undefined: they accept connections without TLS. */
  certificateAuthority?: string;
  /** Port to reach the primary, and port to reach it through a pooler; both are the same if there is no pooler. */
  directPort: number;
  pooledPort: number;
  /** Waits until there is a primary and the standbys follow it without lag. */
  recovered(): Promise<void>;
  stop(): Promise<void>;
};

/** Returns the superuser URL of a database on the server that listens on this port. */
export function superuserUrl(
  { superuserPassword, certificateAuthority }: Pick<Databases, "superuserPassword" | "certificateAuthority">,
  port: number,
  database: string,
): string {
  const security =
    certificateAuthority === undefined
      ? ""
      : `?sslmode=verify-full&sslrootcert=${encodeURIComponent(certificateAuthority)}`;
  return asRole(`postgresql://127.0.0.1:${port}/${database}${security}`, "postgres", superuserPassword);
}

/** Creates the databases in a new folder. `users`: passwords by program account, for a pooler. */
export type StartDatabases<Cluster extends Databases> = (options: {
  folder: string;
  synchronous: boolean;
  users: Readonly<Record<string, string>>;
}) => Promise<Cluster>;

/** Injects one kind of fault into a cluster. Resolves when the fault is over; the cluster recovers afterwards. */
export type Fault<Cluster extends Databases> = {
  name: string;
  inject(cluster: Cluster, apis: Apis): Promise<void>;
};

/** The API's processes, and the origins of those that serve HTTP. `restart` ends and starts one after the other, as an upgrade does. */
export type Apis = {
  origins: readonly string[];
  restart(): Promise<void>;
  /** Returns the superuser's URL of the API's database on one server, by its port. */
  superuserUrl(port: number): string;
};
