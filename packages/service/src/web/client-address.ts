import type { IncomingMessage } from "node:http";

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The visitor's address: the peer of the connection, or behind `trustedProxies` reverse proxies the entry of
 * X-Forwarded-For that the outermost of them wrote. An entry from the browser itself never counts.
 */
export function clientAddress(
  request: Pick<IncomingMessage, "headers" | "socket">,
  trustedProxies: number,
): string {
  const peer = request.socket.remoteAddress ?? "unknown";
  const forwarded = [request.headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  const chosen = trustedProxies === 0 ? peer : (forwarded.at(-trustedProxies)?.trim() ?? "");
  const address = chosen === "" ? peer : chosen;
  return MAPPED_IPV4.exec(address)?.[1] ?? address;
}
