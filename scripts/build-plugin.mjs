/**
 * `npm run build:plugin`: the zip that a store owner installs, plugin/woocommerce/dist/tillgate-for-woocommerce.zip, and beside it what WordPress.org
 * shows of the plugin in its directory (the folder `assets` there, which is in no zip).
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const room = path.join(path.dirname(fileURLToPath(import.meta.url)), "../plugin/woocommerce");
const target = path.join(room, "dist");
// From the room, whose packages these are.
const { directoryFiles } = await import("../plugin/woocommerce/build/directory.mjs");
const { pluginFiles, zipOf } = await import("../plugin/woocommerce/build/zip.mjs");
const { currencyDigits } = await import("../plugin/woocommerce/build/currencies.mjs");

const files = await pluginFiles(room, currencyDigits());
rmSync(target, { recursive: true, force: true });
for (const [name, content] of files) {
  const file = path.join(target, "tillgate-for-woocommerce", name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}
mkdirSync(path.join(target, "wordpress.org"));
for (const [name, content] of directoryFiles(room))
  writeFileSync(path.join(target, "wordpress.org", name), content);
const zip = zipOf(files);
writeFileSync(path.join(target, "tillgate-for-woocommerce.zip"), zip);
console.log(`tillgate-for-woocommerce.zip: ${files.size} files, ${Math.ceil(zip.length / 1024)} KiB`);
