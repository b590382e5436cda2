import { onceAtSignal } from "../run.js";
import { limitServers } from "./limit-servers.js";
import type { lineLog } from "./line-log.js";
import { warnOfProxy } from "./warn-of-proxy.js";

export type SiteConfig = {
  host: string;
  port: number;
  maxConnections: number;
  requestTimeoutMs: number;
  trustedProxies: number;
};

const DEADLINE_MS = 4500;

/**
 * Hands a Next site over to its built server, which takes address and port from the environment.
 * @param hopsSetting the name of the setting that says how many proxies are in front.
 */
export async function startSite(
  config: SiteConfig,
  hopsSetting: string,
  { logWarning }: ReturnType<typeof lineLog>,
): Promise<void> {
  // Containers set HOSTNAME to their own id, so HOST gives the address to listen on.
  process.env.HOSTNAME = config.host;
  process.env.PORT = String(config.port);
  // Next stops accepting and lets requests finish. A request that never ends must not keep the process.
  onceAtSignal(() => setTimeout(() => process.exit(0), DEADLINE_MS).unref());
  limitServers({
    ...config,
    watch: (server) => {
      if (config.trustedProxies > 0) return;
      warnOfProxy(server, () =>
        logWarning(
          `A request carried X-Forwarded-For, but ${hopsSetting} is 0: behind a proxy all visitors count as one address. Set it to the number of proxies in front.`,
          {},
        ),
      );
    },
  });
  const server = "./next-server.js";
  await import(server);
}
