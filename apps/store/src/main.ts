import { createLog } from "@tillgate/service";
import { type Config, ConfigError, readConfig } from "./config.js";
import { startStore } from "./start-store.js";

const refuseToStart = (sentence: string): never => {
  process.stderr.write(`The store does not start: ${sentence}\n`);
  process.exit(1);
};

const settingsOrExit = (): Config => {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) return refuseToStart(error.message);
    throw error;
  }
};

const config = settingsOrExit();
const logger = createLog({ name: "store", level: config.logLevel });

try {
  const store = await startStore(config, logger);
  logger.info({ url: config.storeUrl, port: store.port }, "the store listens");
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, "the store stops");
    store.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, "the store did not stop cleanly");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
} catch (error) {
  refuseToStart(error instanceof Error ? error.message : String(error));
}
