import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { readLockedPorts } from "./lock.js";
import { getSystemErrorCode } from "./private-file.js";
import { StackError } from "./stack-error.js";

/** Ports relative to the base port. */
const offsets = { api: 0, pay: 1, dashboard: 2, store: 3, connector: 4, postgresql: 5 } as const;

export type PortName = keyof typeof offsets;
export type Ports = Record<PortName, number>;

export const DEFAULT_BASE_PORT = 4000;
const HIGHEST_PORT = 65_535;
/** Lower ports need root on most systems. */
export const LOWEST_BASE_PORT = 1024;
export const highestBasePort = HIGHEST_PORT - Math.max(...Object.values(offsets));

/** @throws StackError if the base port is not a whole number, or a port would be out of range. */
export function assignPorts(basePort: number): Ports {
  if (!Number.isInteger(basePort) || basePort < LOWEST_BASE_PORT || basePort > highestBasePort) {
    throw new StackError(
      `TILLGATE_PORT must be a whole number from ${LOWEST_BASE_PORT} to ${highestBasePort}, not "${basePort}".`,
    );
  }
  return {
    api: basePort + offsets.api,
    pay: basePort + offsets.pay,
    dashboard: basePort + offsets.dashboard,
    store: basePort + offsets.store,
    connector: basePort + offsets.connector,
    postgresql: basePort + offsets.postgresql,
  };
}

/** @param host address for the services; PostgreSQL always uses 127.0.0.1. @throws StackError that names every port in use. */
export async function rejectTakenPorts(
  ports: Ports,
  names: readonly PortName[],
  host: string,
): Promise<void> {
  const portsInUse: string[] = [];
  for (const name of names) {
    const address = name === "postgresql" ? "127.0.0.1" : host;
    if (!(await isFree(ports[name], address))) portsInUse.push(`${ports[name]} (${name})`);
  }
  if (portsInUse.length === 0) return;
  const [subject, verb] = portsInUse.length === 1 ? ["Port", "is"] : ["Ports", "are"];
  throw new StackError(
    `${subject} ${portsInUse.join(", ")} ${verb} already in use by another program; ` +
      `stop it, or choose other ports: TILLGATE_PORT=${suggestBasePort(ports.api)} npm start`,
  );
}

function suggestBasePort(basePort: number): number {
  return basePort + 1000 <= highestBasePort ? basePort + 1000 : DEFAULT_BASE_PORT;
}

/** Finds a base port from which all ports are free, for tests that run next to other stacks. @throws StackError after 50 attempts. */
export async function findFreeBasePort(): Promise<number> {
  const attempts = 50;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const ports = assignPorts(randomInt(10_000, 30_000));
    const free = await Promise.all(Object.values(ports).map((port) => isFree(port, "127.0.0.1")));
    if (free.every(Boolean)) return ports.api;
  }
  throw new StackError("Could not find six consecutive free ports.");
}

/** Returns whether a port is free, by listening on it: a connection attempt would miss a program that listens on another address. */
async function isFree(port: number, host: string): Promise<boolean> {
  // A program on the wildcard address (IPv4 or IPv6) also conflicts with one on our address.
  for (const address of new Set([host, "127.0.0.1", undefined])) {
    if ((await findListenError(port, address)) !== undefined) return false;
  }
  return true;
}

/** Codes for an address that this machine does not have, such as an IPv6 address on a machine without IPv6, and for an unknown name. */
const FOREIGN_ADDRESS: ReadonlySet<string> = new Set([
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
  "EAI_AGAIN",
  "ENOTFOUND",
]);

/** Returns an error message if `TILLGATE_LISTEN_HOST` is not an address of this machine; otherwise undefined. */
export async function describeForeignAddress(listenHost: string): Promise<string | undefined> {
  // Listing the machine's addresses needs netlink sockets, which the systemd unit forbids.
  return FOREIGN_ADDRESS.has((await findListenError(0, listenHost)) ?? "")
    ? `TILLGATE_LISTEN_HOST: ${listenHost} is not an address of this machine`
    : undefined;
}

/** Services notice immediately that their stack was killed, and then have 10 s to shut down (exit-with-parent.ts). */
const LEFTOVER_LIMIT_MS = 15_000;
const LEFTOVER_POLL_MS = 100;

/** Waits up to 15 s for the services of a killed stack with this data directory to release their ports. Does not wait for a running stack. */
export async function waitForLeftoverServices(dataDirectory: string): Promise<void> {
  const { ports, isRunning } = await readLockedPorts(dataDirectory);
  if (isRunning) return;
  const deadline = Date.now() + LEFTOVER_LIMIT_MS;
  for (const port of ports)
    while ((await findListenError(port, "127.0.0.1")) === "EADDRINUSE" && Date.now() < deadline)
      await delay(LEFTOVER_POLL_MS);
}

/** @returns a code such as "EADDRINUSE"; undefined if this user can listen on the port. */
export async function findListenError(port: number, host: string | undefined): Promise<string | undefined> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ port, host, exclusive: true }, resolve);
    });
    return undefined;
  } catch (error) {
    return getSystemErrorCode(error) ?? String(error);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
