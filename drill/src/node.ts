import type { Clock } from "./clock.js";
import type { Disk } from "./disk.js";
import type { Link } from "./link.js";
import type { Program } from "./program.js";

export type Node = {
  name: string;
  patroni: Program;
  etcd: Program;
  disk: Disk;
  clock: Clock;
  dataDirectory: string;
  postgresPort: number;
  patroniPort: number;
  /** Links from clients, from the other PostgreSQL servers, and from this node to the three etcd members. */
  links: { clients: Link; peers: Link; etcd: Link[] };
};
