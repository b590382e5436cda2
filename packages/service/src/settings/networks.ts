import { isIPv4, isIPv6 } from "node:net";

/** Names that Express knows for networks, beside addresses and networks in figures. */
const NAMED = ["loopback", "linklocal", "uniquelocal"];

/** The largest private networks. A larger one holds strangers, and a trusted proxy names the address of every caller. */
const SHORTEST_PREFIX = 8;

/** Whether a text is what a setting of trusted proxies may name: an address, a network (`10.0.0.0/8`), or a name of Express. */
export function isNetwork(text: string): boolean {
  if (NAMED.includes(text)) return true;
  const [address = "", bits, ...rest] = text.split("/");
  const most = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1;
  const isLength =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= SHORTEST_PREFIX && Number(bits) <= most);
  return most > 0 && isLength && rest.length === 0;
}
