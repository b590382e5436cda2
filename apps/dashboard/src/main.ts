import { exitWithStartError } from "@tillgate/service/run";
import { startSite } from "@tillgate/service/web/start-site";
import { dashboardSettings, readConfig } from "./config";
import { log } from "./log";

/** Starts the built console after validating all settings. */
const main = async (): Promise<void> =>
  startSite(readConfig(process.env), dashboardSettings.trustedProxies.name, log, {
    service: "tillgate dashboard",
    parentOf: async () => undefined,
  });

main().catch((error: unknown) => exitWithStartError("console", error));
