import { lineLog } from "@tillgate/service/web/line-log";

export const log = lineLog("dashboard");
export const { logError } = log;
