import { onceAtSignal, refuseToStart } from "@tillgate/service/run";
import { readConfig } from "./config";
import { limitServers } from "./http/limit-server";

/**
 * Starts the built page: checks every setting before anything listens, then hands over to Next's own server, which
 * takes address and port from the environment.
 */
const DEADLINE_MS = 4500;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  // Containers set HOSTNAME to their own id, so HOST gives the address to listen on.
  process.env.HOSTNAME = config.host;
  process.env.PORT = String(config.port);

  // Next stops accepting and lets requests finish. A request that never ends must not keep the process.
  onceAtSignal(() => setTimeout(() => process.exit(0), DEADLINE_MS).unref());
  limitServers(config);
  const server = "./next-server.js";
  await import(server);
}

main().catch((error: unknown) => refuseToStart("page", error));
