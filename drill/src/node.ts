import type { Line } from "./line.js";
import type { Program } from "./program.js";

/** One machine of the cluster: PostgreSQL under Patroni, an etcd, and the cables that lead to them. */
export type Node = {
  name: string;
  patroni: Program;
  etcd: Program;
  dataDirectory: string;
  postgresPort: number;
  patroniPort: number;
  /** From the clients' side, from the other PostgreSQL, and from here to the three etcd. */
  lines: { clients: Line; peers: Line; etcd: Line[] };
};
