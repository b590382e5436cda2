/** Servers of which one leads and the others follow, as the programs over them see them. */
export type Databases<
  Server extends { name: string; postgresPort: number } = { name: string; postgresPort: number },
> = {
  readonly nodes: readonly Server[];
  superuserPassword: string;
  /** The primary, and the primary by way of a pooler where there is one. */
  directPort: number;
  pooledPort: number;
  /** Waits until one leads and the others follow without a lag. */
  healed(): Promise<void>;
  stop(): Promise<void>;
};

/** Sets up databases in a folder of their own. `users`: accounts of programs by their passwords, for a pooler. */
export type StartDatabases<Cluster extends Databases> = (options: {
  folder: string;
  synchronous: boolean;
  users: Readonly<Record<string, string>>;
}) => Promise<Cluster>;

/** One way to hurt a cluster. It returns when the cause is gone; the cluster heals afterwards. */
export type Strike<Cluster extends Databases> = { name: string; hit(cluster: Cluster): Promise<void> };
