import ipaddr from "ipaddr.js";

/** The IPv6 network of one customer of an access provider. */
const IPV6_PREFIX_PARTS = 4;

/**
 * The name that a client address is counted under: an IPv4 address unchanged (also when it arrives inside IPv6), an IPv6
 * address by its /64, because the holder of one address there has all of them. A text that is no address counts unchanged.
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
