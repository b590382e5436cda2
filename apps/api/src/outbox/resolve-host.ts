import { lookup, Resolver } from "node:dns/promises";

/** All addresses of a host name. Rejects, or answers none, when there are none. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

/** How long a name server may take to answer, in milliseconds, and how often it is asked. */
const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;

/**
 * Asks the system, with its hosts file and search domains. Until a name server answers, it blocks one of the four threads
 * that also hash PINs. So it is for development, where receivers have local names.
 */
export const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: true });

/**
 * Asks the name servers on separate sockets (c-ares), without a thread. So name servers that do not answer delay nothing
 * else. The hosts file is not read: only public names are wanted here.
 * @param servers addresses of name servers, with ports; default: those of the system.
 */
export function resolveByNameServers(servers?: readonly string[]): Resolve {
  return async (hostname) => {
    const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
    if (servers) resolver.setServers(servers);
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = (answer: PromiseSettledResult<string[]>, family: number) =>
      answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : [];
    const found = [...addresses(four, 4), ...addresses(six, 6)];
    // A name with addresses of one family only gives an error for the other.
    if (found.length === 0 && four.status === "rejected") throw four.reason;
    return found;
  };
}
