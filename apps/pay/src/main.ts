import { exitWithStartError } from "@tillgate/service/run";
import { startSite } from "@tillgate/service/web/start-site";
import { paySettings, readConfig } from "./config";
import { readTraceparent } from "./internal-api/trace";
import { log } from "./log";

/** Starts the built page after validating all settings. */
const main = async (): Promise<void> =>
  startSite(readConfig(process.env), paySettings.trustedProxies.name, log, {
    service: "tillgate pay",
    parentOf: readTraceparent,
  });

main().catch((error: unknown) => exitWithStartError("page", error));
