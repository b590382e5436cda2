import { createLog, run } from "@tillgate/service";
import { readConfig } from "./config.js";
import { startStore } from "./start-store.js";

await run("store", async () => {
  const config = readConfig(process.env);
  const log = createLog({ name: "store", level: config.logLevel });
  const store = await startStore(config, log);
  log.info({ url: config.storeUrl, port: store.port }, "the store is listening");
  return { log, stop: store.stop };
});
