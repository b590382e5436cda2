export { MAXIMUM_DATA_BYTES, QrError, type QrErrorReason, type QrModules, qrModules } from "./qr-modules.js";
export { type QrSvgOptions, QUIET_ZONE_MODULES, qrSvg } from "./qr-svg.js";
