import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { systemErrorCode } from "./private-file.js";
import { StackError } from "./stack-error.js";

/** What listens where: its distance from the base port. */
const offsets = { api: 0, pay: 1, dashboard: 2, store: 3, connector: 4, postgresql: 5 } as const;

export type PortName = keyof typeof offsets;
export type Ports = Record<PortName, number>;

export const DEFAULT_BASE_PORT = 4000;
const HIGHEST_PORT = 65_535;
/** Ports below need root, on most systems. */
export const LOWEST_BASE_PORT = 1024;
export const highestBasePort = HIGHEST_PORT - Math.max(...Object.values(offsets));

/** @throws StackError when the base leaves no room for all ports. */
export function portsFrom(basePort: number): Ports {
  if (!Number.isInteger(basePort) || basePort < LOWEST_BASE_PORT || basePort > highestBasePort) {
    throw new StackError(
      `TILLGATE_PORT must be a whole number from ${LOWEST_BASE_PORT} to ${highestBasePort}; it is "${basePort}".`,
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

/**
 * Makes sure that nobody listens on the ports yet.
 * @param host the address the services will listen on; PostgreSQL always takes 127.0.0.1.
 * @throws StackError with one line that names every taken port and the way out.
 */
export async function rejectTakenPorts(
  ports: Ports,
  names: readonly PortName[],
  host: string,
): Promise<void> {
  const taken: string[] = [];
  for (const name of names) {
    const address = name === "postgresql" ? "127.0.0.1" : host;
    if (!(await isFree(ports[name], address))) taken.push(`${ports[name]} (${name})`);
  }
  if (taken.length === 0) return;
  const [subject, verb] = taken.length === 1 ? ["Port", "is"] : ["Ports", "are"];
  throw new StackError(
    `${subject} ${taken.join(", ")} ${verb} already taken by another program; ` +
      `end it, or choose other ports: TILLGATE_PORT=${suggestedBase(ports.api)} npm start`,
  );
}

function suggestedBase(basePort: number): number {
  return basePort + 1000 <= highestBasePort ? basePort + 1000 : DEFAULT_BASE_PORT;
}

/** A base whose ports are all free now, for tests that run beside other stacks. */
export async function freeBasePort(): Promise<number> {
  const attempts = 50;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const ports = portsFrom(randomInt(10_000, 30_000));
    const free = await Promise.all(Object.values(ports).map((port) => isFree(port, "127.0.0.1")));
    if (free.every(Boolean)) return ports.api;
  }
  throw new StackError("No six free ports in a row were found.");
}

/** Listening is the proof: a connection attempt would miss a program that listens on another address. */
async function isFree(port: number, host: string): Promise<boolean> {
  // A program on "any address" (IPv6 too) and one on our address both stand in the way.
  for (const address of new Set([host, "127.0.0.1", undefined])) {
    if (!(await canListen(port, address))) return false;
  }
  return true;
}

async function canListen(port: number, host: string | undefined): Promise<boolean> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ port, host, exclusive: true }, resolve);
    });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EADDRNOTAVAIL" || systemErrorCode(error) === "EAFNOSUPPORT") return true;
    return false;
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
