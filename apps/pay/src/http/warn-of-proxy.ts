import type { Server } from "node:http";
import type { Config } from "../config";
import { logWarning } from "../log";

/**
 * Behind a proxy that is not configured, all shoppers have one address and share its limits. So the page warns once per
 * process. It checks before Next sees the request, because Next writes the missing header itself.
 */
export function warnOfProxy(server: Server, { trustedProxies }: Config): void {
  if (trustedProxies > 0) return;
  const look = (request: { headers: NodeJS.Dict<string | string[]> }) => {
    if (request.headers["x-forwarded-for"] === undefined) return;
    server.off("request", look);
    logWarning(
      "A request carried X-Forwarded-For, but TILLGATE_PAY_PROXY_HOPS is 0: behind a proxy all shoppers count as one address. Set it to the number of proxies in front.",
      {},
    );
  };
  server.prependListener("request", look);
}
