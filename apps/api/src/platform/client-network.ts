import ipaddr from "ipaddr.js";

const IPV6_PREFIX_PARTS = 4;

/** Returns an address's network: the /64 of an IPv6 address, because one customer has all of it; otherwise the address, as IPv4 if IPv4-mapped. */
export function getClientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${parsed.parts
    .slice(0, IPV6_PREFIX_PARTS)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
