/** `npm run connect -- <store url>`: connects a WooCommerce store to Tillgate, or reports what prevents it. */
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./bootstrap/project.mjs";

const program = path.join(root, "plugin/connector/dist/connect/main.js");
if (existsSync(program)) {
  await import(pathToFileURL(program).href);
} else {
  console.error("The connector is not built yet. Run npm run build.");
  process.exitCode = 2;
}
