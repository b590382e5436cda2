export { type Config, limits, readConfig } from "./config.js";
export { type Store, startStore } from "./start-store.js";
