import type { Server } from "node:http";
import type { Config } from "../config";
import { logWarning } from "../log";

/**
 * Behind a proxy that nobody told of, all shoppers have one address and share its limits: that is said, once a process. It
 * is looked for before Next sees the request, which writes the header itself where it is missing.
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
