import type { Server } from "node:http";

/**
 * Behind a proxy that is not configured, all visitors have one address and share its limits. So the site says so once per
 * process. It checks before Next sees the request, because Next writes the missing header itself.
 */
export function warnOfProxy(server: Server, warn: () => void): void {
  const look = (request: { headers: NodeJS.Dict<string | string[]> }) => {
    if (request.headers["x-forwarded-for"] === undefined) return;
    server.off("request", look);
    warn();
  };
  server.prependListener("request", look);
}
