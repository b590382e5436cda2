export type { Addresses, ServiceUrls } from "./addresses.js";
export { main } from "./main.js";
export { freeBasePort } from "./ports.js";
export type { Sandbox, SandboxMerchant, SandboxShopper } from "./sandbox.js";
export type { ServiceName } from "./service-names.js";
export { StackError } from "./stack-error.js";
export { type Stack, type StackOptions, startStack } from "./start-stack.js";
