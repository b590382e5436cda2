/** `npm run build:plugin`: builds tillgate-for-woocommerce.zip, and next to it the assets of the plugin's page in WordPress.org's directory. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const packageFolder = path.join(path.dirname(fileURLToPath(import.meta.url)), "../plugin/woocommerce");
const target = path.join(packageFolder, "dist");
// These files are in the plugin's package, because they need its dependencies.
const { directoryFiles } = await import("../plugin/woocommerce/build/directory.mjs");
const { pluginFiles, zipOf } = await import("../plugin/woocommerce/build/zip.mjs");
const { currencyDigits } = await import("../plugin/woocommerce/build/currencies.mjs");

const files = await pluginFiles(packageFolder, currencyDigits());
rmSync(target, { recursive: true, force: true });
for (const [name, content] of files) {
  const file = path.join(target, "tillgate-for-woocommerce", name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}
mkdirSync(path.join(target, "wordpress.org"));
for (const [name, content] of directoryFiles(packageFolder))
  writeFileSync(path.join(target, "wordpress.org", name), content);
const zip = zipOf(files);
writeFileSync(path.join(target, "tillgate-for-woocommerce.zip"), zip);
console.log(`tillgate-for-woocommerce.zip: ${files.size} files, ${Math.ceil(zip.length / 1024)} KiB`);
