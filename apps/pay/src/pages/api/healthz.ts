export { serveHealthz as default } from "@tillgate/service/web/healthz";
