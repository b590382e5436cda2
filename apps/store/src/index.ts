export { type Config, ConfigError, limits, readConfig } from "./config.js";
export { type Store, startStore } from "./start-store.js";
