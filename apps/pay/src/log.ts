import { lineLog } from "@tillgate/service/web/line-log";

export const log = lineLog("pay");
export const { logError } = log;
