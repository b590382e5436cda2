export { Refusal } from "@tillgate/contract";
export { OperationError, wrongField } from "../operation-error.js";
