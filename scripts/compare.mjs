/** `npm run compare -- <store>`: compares a shop's orders with Tillgate's through the running connector. Default: the sandbox's demo shop. */
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./bootstrap/project.mjs";
import { readSandboxFile } from "./bootstrap/sandbox-file.mjs";

const environment = process.env;
const program = path.join(root, "plugin/connector/dist/compare/main.js");
const health = environment.CONNECTOR_URL
  ? undefined
  : (await readSandboxFile("sandbox.json"))?.connector_health;
if (health !== undefined) {
  const { href } = new URL("..", health.address);
  environment.CONNECTOR_URL = href;
  environment.CONNECTOR_HEALTH_KEY ||= health.key;
  const isNamed = process.argv.slice(2).some((argument) => !argument.startsWith("-"));
  if (!isNamed) process.argv.push(path.posix.basename(new URL(health.address).pathname));
}
if (existsSync(program)) {
  await import(pathToFileURL(program).href);
} else {
  console.error("The connector is not built yet. Run npm run build.");
  process.exitCode = 2;
}
