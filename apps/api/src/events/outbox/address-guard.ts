import { lookup, Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { parseAddress } from "@tillgate/contract";
import ipaddr from "ipaddr.js";
import { buildConnector } from "undici";
import { CONNECT_MS } from "./limits.js";

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

/** A receiver's address, or an answer of DNS, that must not be connected to. */
export class RefusedAddressError extends Error {
  override readonly name = "RefusedAddressError";
}

/** DNS knows no address for the receiver's host. */
export class UnresolvedHostError extends Error {
  override readonly name = "UnresolvedHostError";
}

/** IPv6 of the public internet; everything outside is refused. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");
/** Documentation addresses of RFC 9637, which the library does not know yet. */
const DOCUMENTATION_IPV6 = ipaddr.IPv6.parseCIDR("3fff::/20");
/** What development may also reach. Link-local stays refused: cloud metadata is there. */
const DEVELOPMENT_RANGES = new Set(["loopback", "private", "uniqueLocal", "carrierGradeNat"]);
/** Cloud metadata outside of link-local, in ranges that development may reach: it hands out keys of the machine. */
const METADATA_ADDRESSES = new Set(["fd00:ec2::254", "fd20:ce::254", "100.100.100.200"]);
/**
 * Addresses that look public and that only machines inside a cloud reach: Azure's platform (168.63.129.16), Google's private API
 * addresses, IBM's services.
 */
const CLOUD_INTERNAL = [
  "168.63.129.16/32",
  "199.36.153.4/30",
  "199.36.153.8/30",
  "161.26.0.0/16",
  "166.8.0.0/14",
].map((range) => ipaddr.IPv4.parseCIDR(range));
/** The ports of the web. Live receivers have no others. */
const WEB_PORTS = new Set(["", "80", "443"]);
/** Below it, services of the system listen (mail, databases of old, remote shells): no sandbox receiver is there. */
const FIRST_UNPRIVILEGED_PORT = 1024;

/**
 * Whether an IP address may be connected to: global unicast only, by an allow-list, so that an unknown kind of address
 * is refused. IPv4 inside IPv6 (mapped, NAT64, 6to4, Teredo) is refused too: it would hide the real target.
 */
export function isAllowedAddress(address: string, privateAllowed: boolean): boolean {
  // Node's strict check of a literal comes first: the library also reads octal and shortened forms.
  if (isIP(address) === 0 || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (METADATA_ADDRESSES.has(parsed.toString())) return false;
  const range = parsed.range();
  if (privateAllowed && DEVELOPMENT_RANGES.has(range)) return true;
  if (range !== "unicast") return false;
  if (parsed instanceof ipaddr.IPv4) return !CLOUD_INTERNAL.some((inside) => parsed.match(inside));
  return parsed.match(GLOBAL_IPV6) && !parsed.match(DOCUMENTATION_IPV6);
}

/** Names of the machine itself, whatever a name server says (RFC 6761). */
export const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

type ReceiverUrlOptions = { address: string; mode: "sandbox" | "live"; privateAllowed: boolean };

/**
 * Reads a receiver's address before anything is sent: http or https without credentials, in live mode https on port 80
 * or 443 only, in the sandbox also on ports from 1024, and a literal must be an allowed address. Names are checked when they are
 * resolved.
 * @throws RefusedAddressError with the reason, without the address.
 */
export function receiverUrl({ address, mode, privateAllowed }: ReceiverUrlOptions): URL {
  const url = parseAddress(address);
  if (url === undefined) throw new RefusedAddressError("the address is no URL");
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new RefusedAddressError("only http and https are delivered to");
  if (url.username !== "" || url.password !== "")
    throw new RefusedAddressError("the address holds credentials");
  if (mode === "live" && url.protocol !== "https:")
    throw new RefusedAddressError("live mode delivers to https only");
  if (!WEB_PORTS.has(url.port) && (mode === "live" || Number(url.port) < FIRST_UNPRIVILEGED_PORT))
    throw new RefusedAddressError(
      mode === "live"
        ? "live mode delivers to ports 80 and 443 only"
        : "the sandbox delivers to ports 80, 443 and from 1024 only",
    );
  const host = bareHost(url.hostname);
  if (isIP(host) !== 0 && !isAllowedAddress(host, privateAllowed))
    throw new RefusedAddressError("the address is not on the public internet");
  return url;
}

type GuardedConnectorOptions = {
  privateAllowed: boolean;
  /** How long the whole attempt may take, in milliseconds; connecting may take its own limit, or less. */
  timeoutMs: number;
  /** Default: the name servers, in development the system. */
  resolve?: Resolve;
};

/**
 * A connector for undici that checks at the moment of connecting: literals, every answer of DNS (one refused answer refuses
 * the host), and once more the peer of the open connection. It connects to the address that it checked, so changing a name
 * between check and connect gains nothing.
 */
export function guardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const { privateAllowed, timeoutMs } = options;
  const resolve = options.resolve ?? (privateAllowed ? resolveBySystem : resolveByNameServers());
  const connect = buildConnector({
    timeout: Math.min(timeoutMs, CONNECT_MS),
    lookup: guardedLookup(resolve, privateAllowed),
  });
  return (target, callback) => {
    const host = bareHost(target.hostname);
    if (isIP(host) !== 0 && !isAllowedAddress(host, privateAllowed)) {
      callback(new RefusedAddressError("the address is not on the public internet"), null);
      return;
    }
    connect(target, (...result) => {
      const [error, socket] = result;
      if (error === null && !isAllowedAddress(socket.remoteAddress ?? "", privateAllowed)) {
        socket.destroy();
        callback(new RefusedAddressError("the connection leads to an address that is refused"), null);
      } else callback(...result);
    });
  };
}

function guardedLookup(resolve: Resolve, privateAllowed: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (answers) => {
        const [first] = answers;
        if (!first) callback(new UnresolvedHostError("the host has no address"), "", 0);
        else if (!answers.every(({ address }) => isAllowedAddress(address, privateAllowed)))
          callback(
            new RefusedAddressError("the host resolves to an address that is not on the public internet"),
            "",
            0,
          );
        else if (options.all) callback(null, answers);
        else callback(null, first.address, first.family);
      },
      (cause) => callback(new UnresolvedHostError("the host could not be resolved", { cause }), "", 0),
    );
  };
}

/** A URL's host name without the brackets of IPv6. */
const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1");

/**
 * The host and port of an address, for records and logs: path and query may hold a secret. Texts that are no URL share one
 * name.
 */
export const hostOf = (address: string): string => parseAddress(address)?.host ?? "no host";
