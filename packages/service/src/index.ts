export { createLog, type LogOptions } from "./log.js";
export { listen, type ServerLimits, type Serving } from "./serve.js";
