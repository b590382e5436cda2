import { lookup, Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { parseAddress } from "@tillgate/contract";
import ipaddr from "ipaddr.js";
import { buildConnector } from "undici";
import { CONNECT_MS } from "./limits.js";

/** The promise rejects, or resolves to an empty list, if the host has no addresses. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;

/** Resolves as the system does. Only for development: each lookup blocks one of the four threads that also hash PINs. */
export const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: true });

/**
 * Creates a resolver that uses sockets (c-ares) instead of threads, so that an unresponsive name server delays nothing else.
 * @param servers with ports; default: the system's.
 */
export function resolveByNameServers(servers?: readonly string[]): Resolve {
  return async (hostname) => {
    const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
    if (servers) resolver.setServers(servers);
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = (settled: PromiseSettledResult<string[]>, family: number) =>
      settled.status === "fulfilled" ? settled.value.map((address) => ({ address, family })) : [];
    const resolved = [...addresses(four, 4), ...addresses(six, 6)];
    // A name with addresses of only one family yields an error for the other family.
    if (resolved.length === 0 && four.status === "rejected") throw four.reason;
    return resolved;
  };
}

/** A webhook URL, or a DNS result, that must not be connected to. */
export class BlockedAddressError extends Error {
  override readonly name = "BlockedAddressError";
}

export class UnresolvedHostError extends Error {
  override readonly name = "UnresolvedHostError";
}

/** Public IPv6; everything else is rejected. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");
/** Documentation addresses of RFC 9637, which the library lacks. */
const DOCUMENTATION_IPV6 = ipaddr.IPv6.parseCIDR("3fff::/20");
/** Ranges that are also allowed in development. Link-local stays blocked because it hosts cloud metadata. */
const DEVELOPMENT_RANGES = new Set(["loopback", "private", "uniqueLocal", "carrierGradeNat"]);
/** Cloud metadata services in ranges that are allowed in development. They expose the machine's credentials, so they stay blocked. */
const METADATA_ADDRESSES = new Set(["fd00:ec2::254", "fd20:ce::254", "100.100.100.200"]);
/** Addresses that look public but are reachable only inside a cloud: Azure's platform (168.63.129.16), Google's private API addresses, IBM's services. */
const CLOUD_INTERNAL = [
  "168.63.129.16/32",
  "199.36.153.4/30",
  "199.36.153.8/30",
  "161.26.0.0/16",
  "166.8.0.0/14",
].map((range) => ipaddr.IPv4.parseCIDR(range));
/** Web ports. Live mode allows no other ports. */
const WEB_PORTS = new Set(["", "80", "443"]);
/** Lower ports are for system services, such as mail or remote shells. Except for {@link WEB_PORTS}, they are blocked in the sandbox too. */
const FIRST_UNPRIVILEGED_PORT = 1024;

/**
 * Returns whether webhooks may be sent to an IP address. IPv4 addresses embedded in IPv6 are not allowed, because they hide the real target.
 * @param privateAllowed also allows {@link DEVELOPMENT_RANGES}.
 */
export function isAllowedAddress(address: string, privateAllowed: boolean): boolean {
  // Node's strict check comes first: the library also accepts octal and shortened forms.
  if (isIP(address) === 0 || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (METADATA_ADDRESSES.has(parsed.toString())) return false;
  const range = parsed.range();
  if (privateAllowed && DEVELOPMENT_RANGES.has(range)) return true;
  if (range !== "unicast") return false;
  if (parsed instanceof ipaddr.IPv4) return !CLOUD_INTERNAL.some((inside) => parsed.match(inside));
  return parsed.match(GLOBAL_IPV6) && !parsed.match(DOCUMENTATION_IPV6);
}

/** Returns whether a host name always refers to this machine, regardless of DNS (RFC 6761). */
export const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

type EndpointUrlOptions = { address: string; mode: "sandbox" | "live"; privateAllowed: boolean };

/** Parses and checks a webhook URL. Host names are checked when they are resolved. @throws BlockedAddressError with the reason, without the URL. */
export function parseEndpointUrl({ address, mode, privateAllowed }: EndpointUrlOptions): URL {
  const url = parseAddress(address);
  if (url === undefined) throw new BlockedAddressError("the URL is invalid");
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new BlockedAddressError("only http and https URLs are supported");
  if (url.username !== "" || url.password !== "")
    throw new BlockedAddressError("the URL contains credentials");
  if (mode === "live" && url.protocol !== "https:")
    throw new BlockedAddressError("live mode delivers only to https URLs");
  if (!WEB_PORTS.has(url.port) && (mode === "live" || Number(url.port) < FIRST_UNPRIVILEGED_PORT))
    throw new BlockedAddressError(
      mode === "live"
        ? "live mode delivers to ports 80 and 443 only"
        : "the sandbox delivers only to ports 80, 443, and 1024 or higher",
    );
  const host = stripBrackets(url.hostname);
  if (isIP(host) !== 0 && !isAllowedAddress(host, privateAllowed))
    throw new BlockedAddressError("the address is not on the public internet");
  return url;
}

type GuardedConnectorOptions = {
  privateAllowed: boolean;
  /** Time limit of the whole attempt, in milliseconds; connecting takes at most {@link CONNECT_MS} of it. */
  timeoutMs: number;
  /** Default: the name servers or, if private addresses are allowed, the system's resolver. */
  resolve?: Resolve;
};

/** Creates a connector that checks IP addresses in URLs, every DNS result, and the connected peer, so that DNS rebinding has no effect. */
export function createGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const { privateAllowed, timeoutMs } = options;
  const resolve = options.resolve ?? (privateAllowed ? resolveBySystem : resolveByNameServers());
  const connect = buildConnector({
    timeout: Math.min(timeoutMs, CONNECT_MS),
    lookup: createGuardedLookup(resolve, privateAllowed),
  });
  return (target, callback) => {
    const host = stripBrackets(target.hostname);
    if (isIP(host) !== 0 && !isAllowedAddress(host, privateAllowed)) {
      callback(new BlockedAddressError("the address is not on the public internet"), null);
      return;
    }
    connect(target, (...result) => {
      const [error, socket] = result;
      if (error === null && !isAllowedAddress(socket.remoteAddress ?? "", privateAllowed)) {
        socket.destroy();
        callback(new BlockedAddressError("the connection was made to a blocked address"), null);
      } else callback(...result);
    });
  };
}

function createGuardedLookup(resolve: Resolve, privateAllowed: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (resolved) => {
        const [first] = resolved;
        if (!first) callback(new UnresolvedHostError("the host has no address"), "", 0);
        else if (!resolved.every(({ address }) => isAllowedAddress(address, privateAllowed)))
          callback(
            new BlockedAddressError("the host resolves to an address that is not on the public internet"),
            "",
            0,
          );
        else if (options.all) callback(null, resolved);
        else callback(null, first.address, first.family);
      },
      (cause) => callback(new UnresolvedHostError("the host could not be resolved", { cause }), "", 0),
    );
  };
}

const stripBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1");

/** Returns the host of a URL. Logs and records contain only the host, because the path and query may contain a secret. */
export const hostForLog = (address: string): string => parseAddress(address)?.host ?? "no host";
