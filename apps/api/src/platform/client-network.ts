import ipaddr from "ipaddr.js";

/** The IPv6 network of one customer of an access provider. */
const IPV6_PREFIX_PARTS = 4;

/**
 * Returns the key under which a client address is counted: an IPv6 address by its /64, because one customer has the whole prefix; an IPv4
 * address (also if mapped into IPv6) and any other text unchanged.
 */
export function getClientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${parsed.parts
    .slice(0, IPV6_PREFIX_PARTS)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
