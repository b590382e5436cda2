import { asRole } from "@tillgate/migrate";

export type Databases<
  Server extends { name: string; postgresPort: number } = { name: string; postgresPort: number },
> = {
  readonly nodes: readonly Server[];
  superuserPassword: string;
  /** The authority that signed the servers' certificates; undefined: no TLS. */
  certificateAuthority?: string;
  /** Port that bypasses the pooler; equal to `pooledPort` if there is no pooler. */
  directPort: number;
  pooledPort: number;
  /** Resolves when there is a primary and the standbys follow it without lag. */
  recovered(): Promise<void>;
  stop(): Promise<void>;
};

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

/** Starts the servers. `users`: passwords by database role, for a pooler. */
export type StartDatabases<Cluster extends Databases> = (options: {
  folder: string;
  synchronous: boolean;
  users: Readonly<Record<string, string>>;
}) => Promise<Cluster>;

/** `inject` resolves when the fault is over; the cluster recovers afterwards. */
export type Fault<Cluster extends Databases> = {
  name: string;
  inject(cluster: Cluster, apis: Apis): Promise<void>;
};

/** `restart` stops and starts one process after the other, as an upgrade does. */
export type Apis = {
  origins: readonly string[];
  restart(): Promise<void>;
  superuserUrl(port: number): string;
};
