export { createLog, type LogOptions } from "./log.js";
export { type Loop, type LoopOptions, startLoop } from "./loop.js";
export {
  inTransaction,
  parseRows,
  type Queryable,
  queryFirstRow,
  queryOneRow,
  queryRows,
  type RowReader,
  surviveBrokenConnections,
} from "./postgres.js";
export { errorReason, exitWithStartError, isAlive, type Running, rotateLog, run } from "./run.js";
export { createLimitedServer, limitServer, listen, type ServerLimits, type Serving } from "./serve.js";
export { SettingsError } from "./settings-error.js";
export { supervise } from "./supervise.js";
