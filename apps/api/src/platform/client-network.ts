import ipaddr from "ipaddr.js";

const IPV6_PREFIX_PARTS = 4;

/** An IPv6 address counts as its /64, because one customer has the whole prefix. An IPv4 address mapped into IPv6 counts as IPv4. */
export function getClientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${parsed.parts
    .slice(0, IPV6_PREFIX_PARTS)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
