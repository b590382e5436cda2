export { healthz as default } from "@tillgate/service/web/healthz";
