export { SettingsError } from "../settings-error.js";
export { host, logLevel, plainHttpError, traceCollector, traceSampleRatio } from "./common.js";
export * from "./kinds.js";
export {
  type Environment,
  readSettings,
  rulesFor,
  type Setting,
  type SettingsOf,
  type SettingsTable,
} from "./read-settings.js";
