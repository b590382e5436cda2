export { maximumDataBytes, QrError, type QrErrorReason, type QrModules, qrModules } from "./qr-modules.js";
export { type QrSvgOptions, qrSvg, quietZoneModules } from "./qr-svg.js";
