import ipaddr from "ipaddr.js";

/** What one customer of an access provider gets of IPv6. */
const IPV6_PREFIX_PARTS = 4;

/**
 * Under which name a client address is counted: an IPv4 address as it is (also when it arrives inside IPv6), an IPv6
 * address by its /64, because whoever has one address there has all of them. What is no address counts as it stands.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${parsed.parts
    .slice(0, IPV6_PREFIX_PARTS)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
