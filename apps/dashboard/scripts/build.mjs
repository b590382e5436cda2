import { fileURLToPath } from "node:url";
import { buildSite } from "@tillgate/service/build-site";

await buildSite({
  root: fileURLToPath(new URL("..", import.meta.url)),
  name: "dashboard",
  scripts: ["console", "passkey", "till"],
});
