import { createLineLog } from "@tillgate/service/web/line-log";

export const log = createLineLog("dashboard");
export const { logError } = log;
