export { createLog, type LogOptions } from "./log.js";
export { isNetwork } from "./networks.js";
export { limitServer, listen, type ServerLimits, type Serving } from "./serve.js";
