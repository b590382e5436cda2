export { createLog, type LogOptions } from "./log.js";
export { type Loop, type LoopOptions, startLoop } from "./loop.js";
export {
  firstRowOf,
  inTransaction,
  oneRowOf,
  parseRows,
  type Queryable,
  type RowReader,
  rowsOf,
  surviveBrokenConnections,
} from "./postgres.js";
export { exitWithStartError, isAlive, type Running, reasonOf, rotateLog, run } from "./run.js";
export { createLimitedServer, limitServer, listen, type ServerLimits, type Serving } from "./serve.js";
export { SettingsError } from "./settings-error.js";
export { supervise } from "./supervise.js";
