import { createLineLog } from "@tillgate/service/web/line-log";

export const log = createLineLog("pay");
export const { logError } = log;
