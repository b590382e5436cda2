import { freePort } from "../../../scripts/testing/free-port.js";

/** Returns distinct loopback ports on which nothing listens. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
